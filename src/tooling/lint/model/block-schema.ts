import type { TSchema } from '@sinclair/typebox'
import { blockSchemas } from '../../../../schemas/blocks/index.ts'
import { tagsOf } from '../../../../schemas/tagged-union.ts'

const byType: ReadonlyMap<string, TSchema> = new Map(
  blockSchemas.flatMap((schema) => tagsOf(schema).map((type) => [type, schema] as const)),
)

/** The type whose name differs from another in its case alone, and what a block of it may say. */
export function twinOfType(type: string): { readonly type: string; readonly schema: TSchema } | undefined {
  const twin = [...byType].find(([other]) => other !== type && other.toLowerCase() === type.toLowerCase())
  return twin && { type: twin[0], schema: twin[1] }
}

/** Members of a union with the tag `type`; undefined for any other schema. */
export function membersOf(schema: TSchema): readonly TSchema[] | undefined {
  const members: readonly TSchema[] | undefined = schema['oneOf'] ?? schema['anyOf']
  return members?.flatMap((member) => membersOf(member) ?? [member])
}

/** The tags that a member names; none for one that takes all that are left over. */
export function tagsIn(member: TSchema): readonly string[] {
  const tags = member['properties']?.type && tagsOf(member)
  return tags?.filter((tag: unknown) => tag !== undefined) ?? []
}

/** Schema of a key, or of the elements of a list; undefined where the schema has none. */
export function insideOf(schema: TSchema, key: string): TSchema | undefined {
  const inside = schema['items'] ?? schema['properties']
  if (inside === undefined || schema['items']) return inside
  return Object.hasOwn(inside, key) ? inside[key] : undefined
}

/** Whether a schema speaks of what stands at these keys, outermost first. */
export function declares(schema: TSchema, keys: readonly string[]): boolean {
  let inside: TSchema | undefined = schema
  for (const key of keys) inside = inside && insideOf(inside, key)
  return inside !== undefined
}
