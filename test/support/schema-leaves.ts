import type { TSchema } from '@sinclair/typebox'
import { tagsOf } from '../../schemas/tagged-union.ts'

/** Finds the parts of a schema, and which of them a value touches, each named by its path from the root. */
export interface SchemaPart {
  readonly path: string
  readonly schema: TSchema
  /** The value at this place; undefined while a schema is walked without one. */
  readonly value?: unknown
}

/** Every leaf of a schema: `messages[]<image>.content.url`. */
export function leavesOf(schema: TSchema, path = ''): string[] {
  const parts = partsOf({ path, schema }, 'all')
  return parts.length === 0 ? [path] : parts.flatMap((part) => leavesOf(part.schema, part.path))
}

/** The leaves of a schema that a value has. An empty object or list has none. */
export function touchedLeaves(schema: TSchema, value: unknown, path = ''): string[] {
  if (isLeaf(schema)) return [path]
  return partsOf({ path, schema, value }, 'present').flatMap((part) =>
    touchedLeaves(part.schema, part.value, part.path),
  )
}

function isLeaf(schema: TSchema): boolean {
  return partsOf({ path: '', schema }, 'all').every((part) => part.path === '' && isLeaf(part.schema))
}

function partsOf(part: SchemaPart, which: 'all' | 'present'): SchemaPart[] {
  return [
    ...properties(part, which),
    ...items(part, which),
    ...members(part, which),
    ...branches(part, which),
  ]
}

function properties({ path, schema, value }: SchemaPart, which: 'all' | 'present'): SchemaPart[] {
  const declared = Object.entries<TSchema>(schema['properties'] ?? {})
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return declared
    .filter(([key]) => which === 'all' || (isObject && Object.hasOwn(value, key)))
    .map(([key, property]) => ({ path: `${path}.${key}`, schema: property, value: (value as never)?.[key] }))
}

function items({ path, schema, value }: SchemaPart, which: 'all' | 'present'): SchemaPart[] {
  if (!schema['items'] || Array.isArray(schema['items'])) return []
  if (which === 'all') return [{ path: `${path}[]`, schema: schema['items'] }]
  return Array.isArray(value)
    ? value.map((item) => ({ path: `${path}[]`, schema: schema['items'], value: item }))
    : []
}

/** Members of a tagged union, by their tags: types that differ in name only are one. */
function members({ path, schema, value }: SchemaPart, which: 'all' | 'present'): SchemaPart[] {
  const tag = (value as { type?: string } | undefined)?.type
  return ((schema['oneOf'] ?? []) as TSchema[])
    .map((member) => ({ member, tags: tagsOf(member) }))
    .filter(({ tags }) => which === 'all' || (tag !== undefined && tags.includes(tag)))
    .map(({ member, tags }) => ({ path: `${path}<${tags.join('|')}>`, schema: member, value }))
}

/** Conditions and plain unions, whose tagged part is what has leaves. */
function branches({ path, schema, value }: SchemaPart, which: 'all' | 'present'): SchemaPart[] {
  const branch = schema['then'] ?? schema['anyOf']?.find((member: TSchema) => member['oneOf'])
  if (!branch || (which === 'present' && typeof value !== 'object')) return []
  return [{ path, schema: branch, value }]
}
