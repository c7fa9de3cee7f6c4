import type { Condition } from '../../../schemas/condition.ts'
import type { Edge, Flow, Group } from '../../../schemas/flow.ts'
import { firstById } from '../../engine/compile/lazy-table.ts'
import { countBy, type Names } from './part-names.ts'
import { writeCondition } from './write-condition.ts'

/** A group that is written as steps of the way that leads there. */
export interface Branch {
  readonly group: Group
  /** Whether something runs behind its last step unless that says otherwise. */
  readonly hasBelow: boolean
  /** The edge by which its last step goes on there. */
  readonly rejoins: string | undefined
}

/** A way of a block or of an item. */
interface Origin {
  readonly edgeId: string
  /** By which the group of its steps is called. */
  readonly label: string
  readonly parent: Group
  /** Of the block in that group. */
  readonly index: number
}

type Block = Group['blocks'][number] & { readonly outgoingEdgeId?: string; readonly items?: unknown }

interface Item {
  readonly id?: unknown
  readonly content?: unknown
  readonly title?: unknown
  readonly text?: unknown
  readonly outgoingEdgeId?: string
  readonly paths?: readonly Item[]
}

/** Levels of steps inside steps, of which a text takes four each. */
const mostInside = 8

/** Longest title that tells a group inside another from the one around it. */
const longestTitle = 199

/**
 * Finds the groups that compiling steps of a way has made, by the edge that leads there: they are called by it, and nothing
 * else leads there but steps inside of them.
 */
export function findBranches(
  { groups, events, edges }: Flow,
  { names, named }: { readonly names: Names; readonly named: ReadonlySet<string> },
): ReadonlyMap<string, Branch> {
  const edgeById = firstById(edges)
  const groupById = new Map(groups.map((group) => [group.id, group]))
  const groupCounts = countBy(groups, ({ id }) => id)
  const [first] = groups
  const origins = groups.flatMap((parent) => originsIn(parent, names))
  const found = new Map<string, Origin>()
  for (const origin of origins) {
    const to = edgeById.get(origin.edgeId)?.to
    const group = to && to.blockId === undefined ? groupById.get(to.groupId) : undefined
    if (!group || group === first || groupCounts.get(group.id) !== 1 || named.has(group.id)) continue
    if (isCalledBy(group, origin)) found.set(origin.edgeId, origin)
  }
  const originOf = new Map<string, Origin>()
  const toOf = (edgeId: string | undefined) => (edgeId === undefined ? undefined : edgeById.get(edgeId)?.to)

  const isThere = ({ groupId, blockId }: Edge['to']) =>
    blockId === undefined
      ? groupById.has(groupId)
      : groupById.get(groupId)?.blocks.some(({ id }) => id === blockId) === true

  function rejoinOf({ parent, index }: Origin): Edge['to'] | undefined {
    const [block, next] = [parent.blocks[index] as Block, parent.blocks[index + 1]]
    const isTaken = block.outgoingEdgeId !== undefined && found.has(block.outgoingEdgeId)
    const to = isTaken ? undefined : toOf(block.outgoingEdgeId)
    const own = to && isThere(to) ? to : undefined
    if (next) return (block.type !== 'Condition' && own) || { groupId: parent.id, blockId: next.id }
    const around = isTaken ? originOf.get(parent.id) : undefined
    return own ?? (around && rejoinOf(around))
  }

  const uses = [...usesIn([groups, events])]
  for (;;) {
    originOf.clear()
    for (const [edgeId, origin] of found) originOf.set(toOf(edgeId)?.groupId as string, origin)
    const rejoining = new Set<string>()
    for (const [groupId, origin] of originOf) {
      const last = lastEdgeOf(groupById.get(groupId) as Group)
      if (last !== undefined && isSame(toOf(last), rejoinOf(origin))) rejoining.add(last)
    }
    const leading = new Map<string, number>()
    for (const { edgeId, groupId } of uses) {
      const to = edgeId === undefined ? groupId : rejoining.has(edgeId) ? undefined : toOf(edgeId)?.groupId
      if (to !== undefined) leading.set(to, (leading.get(to) ?? 0) + 1)
    }
    const before = found.size
    for (const edgeId of [...found.keys()])
      if (leading.get(toOf(edgeId)?.groupId as string) !== 1) found.delete(edgeId)
    if (found.size === before) break
  }
  return new Map(
    [...found].map(([edgeId, origin]) => {
      const group = groupById.get(toOf(edgeId)?.groupId as string) as Group
      const rejoin = rejoinOf(origin)
      const last = lastEdgeOf(group)
      return [
        edgeId,
        { group, hasBelow: rejoin !== undefined, rejoins: isSame(toOf(last), rejoin) ? last : undefined },
      ]
    }),
  )
}

const isSame = (one: Edge['to'] | undefined, other: Edge['to'] | undefined): boolean =>
  one !== undefined && one.groupId === other?.groupId && one.blockId === other.blockId

const lastEdgeOf = ({ blocks }: Group) => (blocks.at(-1) as Block | undefined)?.outgoingEdgeId

function isCalledBy(group: Group, { parent, label }: Origin): boolean {
  const { title = '', blocks } = group
  const isPlain = blocks.length > 0 && (group as { readonly lint?: unknown }).lint === undefined
  const isWithin = title.length <= longestTitle && title.split(' › ').length <= mostInside
  return isPlain && isWithin && title === `${parent.title} › ${label}`
}

/** The ways of a group's blocks that steps may stand in place of. */
function originsIn(parent: Group, names: Names): Origin[] {
  return parent.blocks.flatMap((given, index) => {
    const block = given as Block
    const items = Array.isArray(block.items) ? (block.items as Item[]) : []
    const ways = items.flatMap((item, at) => waysOf(item, labelOf(block, { item, at, names })))
    if (block.type === 'Condition') ways.push(...waysOf(block, 'else'))
    return ways.map((way) => ({ ...way, parent, index }))
  })
}

function waysOf(
  { outgoingEdgeId: edgeId, paths = [] }: Pick<Item, 'outgoingEdgeId' | 'paths'>,
  label: unknown,
): Pick<Origin, 'edgeId' | 'label'>[] {
  const own = edgeId !== undefined && typeof label === 'string' ? [{ edgeId, label }] : []
  return [...own, ...paths.flatMap((path) => waysOf(path, path.text))]
}

function labelOf(
  { type }: Block,
  { item, at, names }: { readonly item: Item; readonly at: number; readonly names: Names },
): unknown {
  if (type === 'Condition') {
    const written = writeCondition(item.content as Condition, names)
    return typeof written === 'string' ? written : 'if'
  }
  if (type === 'AB test') return ['a', 'b'][at]
  if (type === 'Handoff') return 'else'
  return type === 'choice input' ? item.content : item.title
}

/** Edges that anything leaves by, and groups that options name. */
export function* usesIn(part: unknown): Generator<{ readonly edgeId?: string; readonly groupId?: string }> {
  if (typeof part !== 'object' || part === null) return
  for (const [key, inside] of Object.entries(part)) {
    if (key === 'outgoingEdgeId' && typeof inside === 'string') yield { edgeId: inside }
    else if (key === 'groupId' && typeof inside === 'string') yield { groupId: inside }
    else if (key === 'groupIds' && Array.isArray(inside))
      for (const groupId of inside) yield { groupId: String(groupId) }
    else yield* usesIn(inside)
  }
}
