import {
  at,
  isNull,
  type ListNode,
  type MapNode,
  type Node,
  nameOf,
  partOf,
  type ScalarNode,
  scalarText,
} from '../yaml-text/yaml-nodes.ts'
import type { Draft, DraftPart, EdgeTarget } from './draft.ts'

/** Where something goes: to a place, or through steps of its own. */
export type Way =
  | { readonly kind: 'target'; readonly target: EdgeTarget; readonly node: Node }
  | { readonly kind: 'steps'; readonly node: ListNode }

/** Reads a way. Reports what is none, and gives undefined then. */
export function readWay(node: Node, draft: Draft): Way | undefined {
  if (node.kind === 'list') return { kind: 'steps', node }
  const target = readTarget(node, draft)
  return target && { kind: 'target', target, node }
}

/** Reads the place where something leads: `Group`, `Group > step`, or a map of both. */
export function readTarget(node: Node, draft: Draft): EdgeTarget | undefined {
  if (node.kind === 'map') {
    const group = at(node, 'group')
    const step = scalarText(at(node, 'step'))
    if (group?.kind === 'scalar') return targetOf(group, draft, step)
  }
  if (node.kind === 'scalar' && !isNull(node)) return targetOf(node, draft)
  draft.report(node, `the title of a group is missing${isNull(node) ? '' : `; here is ${nameOf(node)}`}`)
  return undefined
}

function targetOf(node: ScalarNode, draft: Draft, step?: string): EdgeTarget | undefined {
  const groupId = draft.idOf('group', node.source, node)
  if (groupId !== undefined) return step === undefined ? { groupId } : { groupId, blockId: step }
  const cut = node.source.lastIndexOf(' > ')
  const inside = cut < 0 ? undefined : draft.idOf('group', node.source.slice(0, cut), partOf(node, 0, cut))
  if (inside !== undefined) return { groupId: inside, blockId: node.source.slice(cut + 3).trim() }
  draft.reportUnknown(node, `no group is called "${node.source.slice(0, 60)}"`, draft.groupNames.keys())
  return undefined
}

/** Steps of a way that are compiled once those around it are known. */
export interface Branch {
  /** The block or the item that leads there. */
  readonly origin: DraftPart
  readonly way: Way
  /** Words for it, in the title of its group. */
  readonly label: string
  /** Whether the origin without an edge ends the path; else it goes on below. */
  readonly endsWithoutEdge?: boolean
  /** Items that lead the same way. */
  readonly others?: readonly DraftPart[]
}

/** A block that a step has become. */
export interface Built {
  readonly block: DraftPart
  /** Ways that it leads along, beside its own edge. */
  readonly branches: readonly Branch[]
  /** Whether nothing comes behind it: a jump. */
  readonly leaves: boolean
  /** Where it goes on in place of the step below. */
  readonly to: EdgeTarget | undefined
  readonly node: Node
}

/** A step as it is written, with the key that says what it is. */
export interface WrittenStep {
  readonly map: MapNode
  readonly key: string
  /** The value of that key. */
  readonly main: Node
  readonly groupId: string
  /** Keys that are no options. */
  readonly left?: readonly string[]
}
