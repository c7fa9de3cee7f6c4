import type { TSchema } from '@sinclair/typebox'
import { blockSchemas } from '../../../../schemas/blocks/index.ts'
import { tagsOf } from '../../../../schemas/tagged-union.ts'

export type SchemaNode = Readonly<Record<string, unknown>>
export type Nodes = Readonly<Record<string, SchemaNode>>

/** Parts of a type of block beside its type, for steps that take it apart. */
export interface BlockParts {
  readonly type: string
  /** The key that its options stand under in JSON. */
  readonly holder: 'content' | 'options'
  /** Schema of its options as a whole, by the name that others refer to. */
  readonly options: SchemaNode
  /** A reference for each of its options. */
  readonly each: Nodes
  readonly items: Nodes | undefined
  /** Parts that it keeps beside them. */
  readonly others: Nodes
}

/** The parts of all blocks, by their types. */
export function blockParts(own: readonly TSchema[]): ReadonlyMap<string, BlockParts> {
  const all = [...blockSchemas, ...own].flatMap((schema) => {
    const [first = '', ...others] = tagsOf(schema)
    const parts = partsOf(first, schema['properties'])
    return [first, ...others].map((type) => [type, { ...parts, type }] as const)
  })
  return new Map(all)
}

function partsOf(type: string, properties: Nodes): Omit<BlockParts, 'type'> {
  const holder = properties['content'] ? 'content' : 'options'
  const whole = withoutNeededIds(properties[holder] ?? { type: 'object', properties: {} }) as SchemaNode
  const name = `${type.replace(/\W+/g, '-')}-options`
  const options = (whole['properties'] ?? {}) as Nodes
  const each = Object.keys(options).map((key) => [key, refTo(name, key)] as const)
  const items = Object(properties['items'])['items']?.properties as Nodes | undefined
  const { id: _, type: __, outgoingEdgeId: ___, items: ____, [holder]: _____, ...others } = properties
  return {
    others,
    holder,
    options: {
      description: holder === 'content' ? 'What is shown' : 'What the block does',
      ...whole,
      $id: name,
      ...(whole['properties'] !== undefined && { additionalProperties: false }),
    },
    each: Object.fromEntries(each),
    items,
  }
}

/** A reference to a named schema, or to a property inside it. */
export const refTo = (name: string, ...path: readonly string[]): SchemaNode => ({
  $ref: ['#/definitions', name, ...path.flatMap((key) => ['properties', key])].join('/'),
})

/** The same schema with ids that may be left out: they are made of the place. */
export function withoutNeededIds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutNeededIds)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === 'required' && Array.isArray(value)
        ? value.filter((name) => name !== 'id')
        : withoutNeededIds(value),
    ]),
  )
}

/** A map that takes these keys and no other. */
export const closedMap = (properties: Nodes, more: SchemaNode = {}): SchemaNode => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...more,
})

/** A schema that holds under a condition, which editors show where it is met. */
export const under = (condition: SchemaNode, then: SchemaNode): SchemaNode => ({
  if: condition,
  then,
})

/** One kind of step: the keys of which one says that it is this, and what may stand in its map. */
export interface StepKind {
  readonly keys: readonly string[]
  readonly body: SchemaNode
  /** Keys that it takes, as far as they may make another kind. */
  readonly takes: readonly string[]
  readonly description: string
}
