/** Named schemas of the OpenAPI document, which are described once. */
export interface Components {
  /** By name; filled while schemas are taken apart. */
  readonly schemas: Record<string, unknown>
  /** Returns the schema with references in the place of the named schemas inside it. */
  takeApart(schema: unknown): unknown
}

/** Collects named schemas: those with an `$id`. `known` holds those that others name without holding them. */
export function createComponents(known: Readonly<Record<string, unknown>>): Components {
  const schemas: Record<string, unknown> = {}

  function takeApart(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(takeApart)
    if (typeof node !== 'object' || node === null) return node
    const { $id, $ref } = node as { $id?: unknown; $ref?: unknown }
    if (typeof $ref === 'string') return refer($ref, known[$ref])
    return typeof $id === 'string' ? refer($id, node) : takeApartEach(node)
  }

  function refer(name: string, schema: unknown) {
    if (!Object.hasOwn(schemas, name)) {
      // Named before it is looked into, as it may hold itself.
      schemas[name] = {}
      const { $id, ...rest } = schema as { $id: string }
      schemas[name] = takeApartEach(rest)
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  function takeApartEach(node: object) {
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, takeApart(value)]))
  }

  return { schemas, takeApart }
}
