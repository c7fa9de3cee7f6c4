import { ServiceError } from '../../src/lib/errors.ts'
import type { Json } from './json.ts'

/** A flow and what was made of it, part by part in the same order. */
export interface Twins {
  readonly left: Json
  readonly right: Json
}

/** By the ids of the second flow those of the first, where the same part has them. */
export interface TwinIds {
  readonly variables: ReadonlyMap<string, string>
  readonly items: ReadonlyMap<string, string>
  /** Of groups, blocks and events. */
  readonly places: ReadonlyMap<string, string>
}

export const sameIds: TwinIds = { variables: new Map(), items: new Map(), places: new Map() }

const kinds = {
  groups: 'places',
  blocks: 'places',
  events: 'places',
  items: 'items',
  paths: 'items',
  variables: 'variables',
} as const

/** Compares a flow with its twin, part by part. */
export function twinIds({ left, right }: Twins): TwinIds {
  const ids = {
    variables: new Map<string, string>(),
    items: new Map<string, string>(),
    places: new Map<string, string>(),
  }
  const pairInside = (one: Json, other: Json) => {
    for (const [key, kind] of Object.entries(kinds)) {
      const [list, twins] = [one[key], other[key]]
      if (!Array.isArray(list) || !Array.isArray(twins)) continue
      for (const [index, part] of list.entries()) {
        const twin = Object(twins[index])
        if (!ids[kind].has(twin.id)) ids[kind].set(twin.id, Object(part).id)
        pairInside(Object(part), twin)
      }
    }
  }
  pairInside(left, right)
  return ids
}

const firstOf = ({ places, items, variables }: TwinIds, id: string) =>
  places.get(id) ?? items.get(id) ?? variables.get(id) ?? id

const edgeKeys = ['outgoingEdgeId', 'edgeId']

/**
 * A response of the second flow as the first would give it: with its ids, and with texts in one leaf where an editor cut
 * them. Edges have no names, as ways have none.
 */
export function asTwin(response: unknown, ids: TwinIds): unknown {
  if (Array.isArray(response)) return oneLeafEach(response.map((part) => asTwin(part, ids)))
  if (typeof response !== 'object' || response === null) return response
  const { displayCondition: _, ...all } = response as Json
  const { id: _id, ...node } = all
  // Of a rich text, whose nodes editors number.
  const { options, ...shown } = 'children' in all ? node : all
  if (options !== undefined && Object.keys(Object(options)).length > 0) shown['options'] = options
  return Object.fromEntries(
    Object.entries(shown).map(([key, part]) => {
      if (edgeKeys.includes(key)) return [key, 'an edge']
      if (/^(?:id|\w+Id)$/.test(key) && typeof part === 'string')
        return [key, key.endsWith('ariableId') ? (ids.variables.get(part) ?? part) : firstOf(ids, part)]
      if (/^(?:description|details)$/.test(key) && typeof part === 'string')
        return [key, withIdsInWords(part, ids)]
      if (key === 'content' && typeof part === 'string' && 'args' in all)
        return [key, part.replace(/\w+(?: \w+)?/g, (word) => ids.variables.get(word) ?? word)]
      return [key, asTwin(part, ids)]
    }),
  )
}

/** Logs name blocks, groups and events so; in code for clients variables have their ids for names. */
const withIdsInWords = (text: string, ids: TwinIds) =>
  text.replace(/(?<=["(]|[:,] )[^\s"(),;]+(?=[")]|[,;]|$)/g, (word) => ids.places.get(word) ?? word)

interface Leaf extends Json {
  readonly text: string
}

const isLeaf = (node: unknown): node is Leaf =>
  typeof node === 'object' && node !== null && typeof (node as Json)['text'] === 'string' && !('type' in node)

function oneLeafEach(nodes: readonly unknown[]): unknown[] {
  const joined: unknown[] = []
  for (const node of nodes) {
    const last = joined.at(-1)
    if (
      isLeaf(last) &&
      isLeaf(node) &&
      JSON.stringify({ ...last, text: '' }) === JSON.stringify({ ...node, text: '' })
    )
      joined.splice(-1, 1, { ...last, text: last.text + node.text })
    else joined.push(node)
  }
  return joined.length > 1 ? joined.filter((node) => !isLeaf(node) || node.text !== '') : joined
}

/** What came of something that may be refused. */
export async function outcomeOf(asked: Promise<unknown>): Promise<unknown> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { refused: error.code, message: error.message }
  }
}
