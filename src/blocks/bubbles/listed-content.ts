import type { TObject, TProperties, TSchema } from '@sinclair/typebox'

/** A copy of what an author filled in, without the fields that the schema of the message does not list. */
export function pickListed(schema: TObject, content: object): object {
  const properties: TProperties = schema.properties
  const listed = Object.entries(content).filter(([key]) => Object.hasOwn(properties, key))
  return Object.fromEntries(listed.map(([key, value]) => [key, pickFrom(properties[key], value)]))
}

function pickFrom(schema: TSchema | undefined, value: unknown): unknown {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isRecord && schema?.['properties'] ? pickListed(schema as TObject, value) : value
}
