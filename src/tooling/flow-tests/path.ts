import type { Flow } from '../../../schemas/flow.ts'
import type { TraceHop } from '../../../schemas/trace.ts'
import type { PlayedTurn } from './test-conversation.ts'

/** A place that a conversation passed. */
export interface PathPoint {
  readonly kind: 'group' | 'edge' | 'item'
  /** Names of a part: its id, and the title of a group. */
  readonly names: readonly string[]
}

interface AnyItem {
  readonly id: string
  readonly outgoingEdgeId?: string
  readonly content?: unknown
  readonly value?: string
}

/** A block that a turn passed, for whoever asks why it went there. */
export interface WayPoint {
  /** Into the flow: the block, or its item by which it was left. */
  readonly pointer: string
  readonly blockId: string
  readonly blockType: string
  readonly went: readonly TraceHop['why'][]
}

/** Finds its way in a flow that is tested. */
export interface FlowMap {
  readonly flowId: string
  readonly titles: ReadonlyMap<string, string | undefined>
  /** Items by the id of their block. */
  readonly items: ReadonlyMap<string, readonly AnyItem[]>
}

export function mapOf(flow: Flow): FlowMap {
  const blocks = flow.groups.flatMap((group) => group.blocks)
  return {
    flowId: flow.id,
    titles: new Map(flow.groups.map(({ id, title }) => [id, title])),
    items: new Map(
      blocks.map((block) => [block.id, ('items' in block && block.items) || []]),
    ) as FlowMap['items'],
  }
}

/** Points that a turn passed, in order. */
export function pathOfTurn({ came, steps }: PlayedTurn, map: FlowMap): PathPoint[] {
  const path: PathPoint[] = came.flatMap(({ edgeId }) => edgePoint(edgeId))
  let group: string | undefined
  for (const { block, reply, went } of steps) {
    if (block.group.id !== group) {
      group = block.group.id
      const title = map.titles.get(group)
      path.push({ kind: 'group', names: title === undefined ? [group] : [group, title] })
    }
    const said = reply?.outcome === 'accepted' ? reply.content : undefined
    const items = map.items.get(block.id) ?? []
    const taken = new Set(items.filter((item) => isTaken(item, said, went)).map(({ id }) => id))
    for (const id of taken) path.push({ kind: 'item', names: [id] })
    for (const { edgeId } of went) path.push(...edgePoint(edgeId))
  }
  return path
}

const edgePoint = (edgeId: string | undefined): PathPoint[] =>
  edgeId === undefined ? [] : [{ kind: 'edge', names: [edgeId] }]

function isTaken(
  { outgoingEdgeId, content, value }: AnyItem,
  reply: string | undefined,
  went: PlayedTurn['came'],
): boolean {
  if (leavesBy(outgoingEdgeId, went)) return true
  if (reply === undefined) return false
  return (
    reply === value ||
    reply === content ||
    (typeof content === 'string' && reply.split(', ').includes(content))
  )
}

/** Blocks that are told of a turn: what it came to, and what led there. */
const mostWayPoints = 8

/** The last blocks of a flow that a turn passed; those of flows that it links to stand elsewhere. */
export function wayOf({ steps }: PlayedTurn, map: FlowMap): WayPoint[] {
  const own = steps.filter(({ flowId }) => flowId === map.flowId)
  return own.slice(-mostWayPoints).map(({ block, went }) => {
    const items = map.items.get(block.id) ?? []
    const left = items.findIndex(({ outgoingEdgeId }) => leavesBy(outgoingEdgeId, went))
    return {
      pointer: left < 0 ? block.pointer : `${block.pointer}/items/${left}`,
      blockId: block.id,
      blockType: block.type,
      went: went.map(({ why }) => why),
    }
  })
}

const leavesBy = (edge: string | undefined, went: readonly TraceHop[]) =>
  edge !== undefined && went.some(({ edgeId }) => edgeId === edge)
