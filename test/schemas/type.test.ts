import { Type as TypeBox } from '@sinclair/typebox'
import { expect, it } from 'vitest'
import { Type } from '../../schemas/type.ts'

type Builder = typeof Type

const described = { description: 'What it is', examples: ['a'] }

const schemas: Record<string, (type: Builder) => unknown> = {
  'texts, numbers and words': (type) => [
    type.String(),
    type.String({ minLength: 1, ...described }),
    type.Number(described),
    type.Integer({ minimum: 1 }),
    type.Boolean({ default: false }),
    type.Null(described),
    type.Literal('start', described),
    type.Literal(7),
    type.Literal(true),
    type.Unknown(described),
    type.Unsafe<'a' | 'b'>({ type: 'string', enum: ['a', 'b'] }),
    type.Ref('FlowDefinition', described),
  ],
  lists: (type) => type.Array(type.String(described), { maxItems: 3 }),
  records: (type) => type.Record(type.String(), type.Array(type.Unknown()), described),
  'objects with some fields that may be missing': (type) =>
    type.Object({ id: type.String(), name: type.Optional(type.String(described)) }, described),
  'objects all of whose fields may be missing': (type) =>
    type.Object({ name: type.Optional(type.Unsafe({ type: ['string', 'null'] })) }),
  'objects without fields': (type) => type.Object({}, { additionalProperties: false }),
  'partial objects': (type) =>
    type.Partial(type.Object({ id: type.String(), at: type.Object({ x: type.Number() }) }, described), {
      additionalProperties: false,
    }),
  'partial objects that may be missing': (type) =>
    type.Object({ at: type.Optional(type.Partial(type.Object({ x: type.Number() }, described))) }),
}

it.each(Object.entries(schemas))('builds %s as TypeBox does, in the same order', (_name, build) => {
  expect(JSON.stringify(build(Type))).toBe(JSON.stringify(build(TypeBox)))
})
