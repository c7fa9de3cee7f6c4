import {
  at,
  type MapNode,
  type Node,
  type ScalarNode,
  type Span,
  scalarText,
} from '../yaml-text/yaml-nodes.ts'
import type { Draft, DraftPart } from './draft.ts'

/** As much of a JSON schema as says what a scalar is meant as. */
export interface Shape {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly additionalProperties?: Shape | boolean
}

/** The shape of what stands under a key. */
export function shapeAt(shape: Shape | undefined, key: string): Shape | undefined {
  const { properties = {}, additionalProperties } = shape ?? {}
  if (Object.hasOwn(properties, key)) return properties[key]
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}

/** The JSON that a value stands for, with the ids of variables and groups in place of their names. */
export function jsonOfNode(node: Node, shape: Shape | undefined, draft: Draft): unknown {
  if (node.kind === 'scalar') return scalarValue(node, shape)
  if (node.kind === 'list') {
    const list = node.items.map((item) => jsonOfNode(item, shape?.items, draft))
    return draft.origins.note(list, node, Object.fromEntries(node.items.entries()))
  }
  return toPart(node, { shape }, draft)
}

interface PartTerms {
  readonly shape: Shape | undefined
  /** Keys that are left out. */
  readonly left?: readonly string[]
}

/** The same for a map, without some of its keys. */
export function toPart(map: MapNode, { shape, left = [] }: PartTerms, draft: Draft): DraftPart {
  const kept = [...map.entries].filter(([key]) => !left.includes(key))
  const values = kept.map(
    ([key, { value }]) => [key, namedValue(key, { node: value, shape: shapeAt(shape, key) }, draft)] as const,
  )
  const places = kept.map(([key, entry]) => [key, placeOf(entry)] as const)
  return draft.origins.note(Object.fromEntries(values), map, Object.fromEntries(places))
}

/** Place of an entry: that of its key where the value is nothing. */
const placeOf = ({ key, value }: { readonly key: Span; readonly value: Node }): Span =>
  value.end > value.start ? value : key

function namedValue(
  key: string,
  { node, shape }: { readonly node: Node; readonly shape: Shape | undefined },
  draft: Draft,
): unknown {
  const text = scalarText(node)
  if (text !== undefined) {
    if (/[vV]ariableId$/.test(key)) return draft.idOf('variable', text, node) ?? text
    if (key === 'groupId') return draft.idOf('group', text, node) ?? text
  }
  const value = jsonOfNode(node, shape, draft)
  if (key !== 'groupIds' || !Array.isArray(value) || node.kind !== 'list') return value
  for (const [index, item] of node.items.entries()) {
    const title = scalarText(item)
    if (title !== undefined) value[index] = draft.idOf('group', title, item) ?? title
  }
  return value
}

const jsonTypes = { string: ['string'], number: ['number', 'integer'], boolean: ['boolean'] } as const

/** A number or a truth value where only a text may stand is the text that it is written as. */
function scalarValue({ value, source }: ScalarNode, shape: Shape | undefined): ScalarNode['value'] {
  if (value === null || typeof value === 'string') return value
  const types = [shape?.type ?? []].flat()
  const fits = jsonTypes[typeof value as 'number' | 'boolean'].some((type) => types.includes(type))
  return types.includes('string') && !fits ? source : value
}

/** The text under a key, which has to be one; undefined where there is none. */
export function textAt(map: MapNode, key: string, draft: Draft): string | undefined {
  const node = at(map, key)
  const text = scalarText(node)
  if (node && text === undefined)
    draft.report(placeOf({ key: keyOf(map, key), value: node }), `"${key}" must be a text`)
  return text
}

const keyOf = (map: MapNode, key: string): Span => map.entries.get(key)?.key ?? map

/** Reports keys that mean nothing here. */
export function refuseOthers(map: MapNode, known: readonly string[], draft: Draft): void {
  for (const [name, { key }] of map.entries) {
    if (known.includes(name)) continue
    draft.reportUnknown(
      key,
      `"${name.slice(0, 60)}" is not known here; known are: ${known.join(', ')}`,
      known,
    )
  }
}
