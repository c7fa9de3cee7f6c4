import type { Edge, Flow } from '../../../schemas/flow.ts'
import { firstById } from '../../engine/compile/lazy-table.ts'
import { type Branch, usesIn } from './find-branches.ts'
import type { Names } from './part-names.ts'

/** Where something goes on: a way with names, or an edge by its id where no way can say it. */
type Way =
  | { readonly to: string }
  | { readonly then: readonly unknown[] }
  | { readonly outgoingEdgeId: string }

/** The ways of a flow. */
export interface Ways {
  /** Of what leaves by an edge; nothing of what leaves by none. */
  of(edgeId: string | undefined): Way | undefined
  /** To a group, or to a block of it; undefined where the one or the other is not there. */
  to(groupId: string, blockId?: string): string | undefined
  /** Whether an edge is none that a way can say. */
  isRaw(edgeId: string | undefined): boolean
  /** Edges that have to stand in the YAML. */
  readonly raw: readonly Edge[]
  /** Ids of blocks that edges name, and not their group alone. */
  readonly targets: ReadonlySet<string>
}

interface WaysOptions {
  readonly names: Names
  readonly branches: ReadonlyMap<string, Branch>
  /** The steps that stand in place of the group. */
  writeBranch(branch: Branch): readonly unknown[]
}

/** Finds the ways of a flow; an edge that leads nowhere keeps doing so. */
export function findWays(
  { edges, groups, events }: Flow,
  { names, branches, writeBranch }: WaysOptions,
): Ways {
  const edgeById = firstById(edges)
  const groupById = firstById(groups)
  const indexIn = (groupId: string, blockId: string | undefined) =>
    groupById.get(groupId)?.blocks.findIndex(({ id }) => id === blockId) ?? -1
  const to = (groupId: string, blockId?: string) => {
    const group = groupById.get(groupId)
    const index = indexIn(groupId, blockId)
    const key = names.group(groupId)
    if (!group || key === undefined || (blockId !== undefined && index === -1)) return undefined
    return index > 0 ? `${key} > ${blockId}` : key
  }
  const untold = new Set([...branches.values()].map(({ rejoins }) => rejoins))
  const left = new Set(Array.from(usesIn([events, groups]), ({ edgeId }) => edgeId))
  const used = [...left].flatMap((id) => (id === undefined || untold.has(id) ? [] : (edgeById.get(id) ?? [])))
  const wayOf = (edgeId: string) => {
    const edge = edgeById.get(edgeId)
    return edge && to(edge.to.groupId, edge.to.blockId)
  }
  return {
    of(edgeId) {
      if (edgeId === undefined) return undefined
      const branch = branches.get(edgeId)
      if (branch) return Object.fromEntries([['then', writeBranch(branch)]]) as { then: readonly unknown[] }
      const way = wayOf(edgeId)
      return way === undefined ? { outgoingEdgeId: edgeId } : { to: way }
    },
    isRaw: (edgeId) => edgeId !== undefined && wayOf(edgeId) === undefined,
    to,
    raw: used.filter((edge) => to(edge.to.groupId, edge.to.blockId) === undefined),
    targets: new Set(
      used.flatMap(({ to: { groupId, blockId } }) => (indexIn(groupId, blockId) > 0 ? (blockId ?? []) : [])),
    ),
  }
}
