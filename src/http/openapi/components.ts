import { isNamedUnion, nameVariants, type TaggedUnion } from './name-variants.ts'

/** Named schemas of the OpenAPI document, which are described once. */
interface Components {
  /** By name; filled while schemas are taken apart. */
  readonly schemas: Record<string, unknown>
  /** Returns the schema with references in the place of the named schemas inside it. */
  takeApart(schema: unknown): unknown
}

interface Conditional {
  readonly type: readonly string[]
  readonly if: { readonly type: string }
  readonly then: object
}

/** Whether a schema says what holds for one of its types (schemas/user-message.ts). */
function isConditional(node: unknown): node is Conditional {
  return typeof node === 'object' && node !== null && 'if' in node && 'then' in node
}

/** The same as a union of all that it may be: generators of clients read no conditions, and few a union in a union. */
function asUnion({ type, if: condition, then, ...rest }: Conditional): object {
  const others = type.filter((one) => one !== condition.type)
  const members = isNamedUnion(then) ? nameVariants(then).members : [then]
  return { ...rest, anyOf: [...others.map((one) => ({ type: one })), ...members] }
}

type Schemas = Readonly<Record<string, unknown>>

/** Any key, as TypeBox writes it. */
const anyKey = '^(.*)$'

/** Dictionaries as generators of clients know them. */
function withoutPatterns(node: object): object {
  const { patternProperties, ...rest } = node as { patternProperties?: Record<string, unknown> }
  const values = patternProperties?.[anyKey]
  return values === undefined ? node : { ...rest, additionalProperties: values }
}

/**
 * Collects named schemas: those with an `$id`. `known` holds those that others name without holding them, and `replaced`
 * those that stand in place of others of their name.
 */
export function createComponents(known: Schemas, replaced: Schemas = {}): Components {
  const schemas: Record<string, unknown> = {}

  function takeApart(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(takeApart)
    if (typeof node !== 'object' || node === null) return node
    if (isConditional(node)) return takeApart(asUnion(node))
    const { $id, $ref } = node as { $id?: unknown; $ref?: unknown }
    if (typeof $ref === 'string') return refer($ref, known[$ref])
    return typeof $id === 'string' ? refer($id, replaced[$id] ?? node) : takeApartEach(node)
  }

  function refer(name: string, schema: unknown) {
    if (!Object.hasOwn(schemas, name)) {
      // Named before it is looked into, as it may hold itself.
      schemas[name] = {}
      const { $id, ...rest } = schema as { $id: string }
      schemas[name] = isNamedUnion(schema as object)
        ? takeApartUnion(schema as TaggedUnion)
        : takeApartEach(rest)
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  /** Members get names, and a property distinguishes the names: what a generator would make of a reference is no tag. */
  function takeApartUnion(union: TaggedUnion) {
    const { members, byTag } = nameVariants(union)
    const { $id, oneOf: _, discriminator, ...rest } = union
    const mapping = Object.fromEntries(byTag.map(([tag, name]) => [tag, `#/components/schemas/${name}`]))
    return {
      ...takeApartEach(rest),
      discriminator: { ...discriminator, mapping },
      oneOf: members.map(takeApart),
    }
  }

  function takeApartEach(node: object) {
    return Object.fromEntries(
      Object.entries(withoutPatterns(node)).map(([key, value]) => [key, takeApart(value)]),
    )
  }

  return { schemas, takeApart }
}
