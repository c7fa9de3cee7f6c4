import type { TObject, TOptional, TProperties, TSchema } from '@sinclair/typebox'
import { Type } from './type.ts'

/** An opaque identifier: compared exactly, never parsed. */
export const Id = Type.String({ description: 'Opaque identifier', examples: ['ck9f2'] })

/** A moment as text. Anything is accepted from a definition; the service writes ISO 8601 in UTC. */
export const Timestamp = Type.String({
  description: 'ISO 8601 moment',
  examples: ['2026-11-21T09:17:01.712Z'],
})

/** One of a few words, as a single `enum`, so that a wrong word is reported once. */
export function StringEnum<const Values extends readonly string[]>(values: Values, options: object = {}) {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options })
}

/**
 * A number, numeric text, or exactly one placeholder (docs/behaviour/variables.md, "Number or variable").
 * One `type` list instead of a union, so that a wrong value is reported once.
 */
export const NumberOrVariable = Type.Unsafe<number | string>({
  type: ['number', 'string'],
  description: 'A number, numeric text, or exactly one {{placeholder}}',
  examples: [5, '{{Limit}}'],
})

/** Value of a variable: text, a list of texts, or nothing. */
export const VariableValue = Type.Unsafe<string | (string | null)[] | null>({
  type: ['string', 'array', 'null'],
  items: { type: ['string', 'null'] },
  description: 'Text, a list of texts, or null',
  examples: ['Ada', ['red', 'blue']],
})

/** A language tag, as BCP 47 writes them; case does not count. */
export const languageTag = '^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8}){0,8}$'

/** The language that a client asks for. */
export const Locale = Type.String({
  pattern: languageTag,
  maxLength: 35,
  description:
    'The language to hold the conversation in, as a tag (BCP 47). Looked up among those of the flow, which speaks its own where it has no such one. Default: what `Accept-Language` asks for',
  examples: ['fr-CA'],
})

/** The fields that blocks of every type have. */
export const blockBase = { id: Id, outgoingEdgeId: Type.Optional(Id) } satisfies TProperties

/** The fields that every item of a block has. `blockId` is a leftover of versions below 6: accepted, never emitted. */
export const itemBase = {
  id: Id,
  outgoingEdgeId: Type.Optional(Id),
  blockId: Type.Optional(Id),
} satisfies TProperties

/** Properties of an object that may be missing. */
export function optional<Properties extends TProperties>(properties: Properties) {
  const entries = Object.entries(properties).map(([key, schema]) => [key, Type.Optional(schema)])
  return Object.fromEntries(entries) as { [Key in keyof Properties]: TOptional<Properties[Key]> }
}

/** An object whose every property may be missing. */
export function PartialObject<Properties extends TProperties>(properties: Properties, options: object = {}) {
  return Type.Partial(Type.Object(properties), options)
}

/** A block of one type, whose options may all be missing. Unknown keys pass. */
export function blockOf<
  const Name extends string,
  Options extends TProperties,
  More extends TProperties = Record<never, never>,
>(type: Name, options: Options, more: More = {} as More) {
  return Type.Object({
    ...blockBase,
    type: Type.Literal(type),
    options: Type.Optional(PartialObject(options)),
    ...more,
  })
}

/** An object of a response: nothing but the listed properties leaves the service. */
export function ClosedObject<Properties extends TProperties>(properties: Properties, options: object = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

/** The same shape as part of a response, without room for anything else at any depth. */
export function closed<Schema extends TSchema>(schema: Schema): Schema {
  if (schema['type'] === 'array') return { ...schema, items: closed(schema['items']) }
  if (schema['type'] !== 'object') return schema
  const { properties } = schema as unknown as TObject
  const closedProperties = Object.entries(properties).map(([key, property]) => [key, closed(property)])
  return { ...schema, properties: Object.fromEntries(closedProperties), additionalProperties: false }
}

/** A length of time by ISO 8601, in days and smaller units: those of a calendar have no length of their own. */
export const Duration = (options: { readonly description: string; readonly examples?: readonly string[] }) =>
  Type.String({
    ...options,
    maxLength: 30,
    pattern: '^P(?=\\d|T\\d)(\\d{1,5}W)?(\\d{1,5}D)?(T(?=\\d)(\\d{1,7}H)?(\\d{1,7}M)?(\\d{1,7}S)?)?$',
  })
