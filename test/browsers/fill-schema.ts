import type { TSchema } from '@sinclair/typebox'

/** Which word of an enumeration, and which member of a union, is taken. */
export type Pick = 'first' | 'last'

/** A value that has all that a schema knows, with the same text wherever it takes any. */
export function fillSchema(schema: TSchema, text: string, pick: Pick): unknown {
  const fill = (part: TSchema) => fillSchema(part, text, pick)
  const one = <Of>(list: readonly Of[]) => list.at(pick === 'first' ? 0 : -1)
  if ('const' in schema) return schema['const']
  if (schema['enum']) return one(schema['enum'])
  const members: readonly TSchema[] | undefined = schema['oneOf'] ?? schema['anyOf']
  const member = members && one(members)
  if (member) return fill(member)
  if (schema['properties'])
    return Object.fromEntries(
      Object.entries<TSchema>(schema['properties']).map(([key, property]) => [key, fill(property)]),
    )
  if (schema['items']) return [fill(schema['items'])]
  const types: readonly string[] = [schema['type']].flat()
  if (types.includes('boolean')) return true
  if (types.includes('number') || types.includes('integer')) return schema['minimum'] ?? 1
  if (types.includes('object')) return { [text]: text }
  return types.includes('array') ? [text] : text
}
