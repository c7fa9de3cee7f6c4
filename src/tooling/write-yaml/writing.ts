import type { Flow } from '../../../schemas/flow.ts'
import { type Branch, findBranches } from './find-branches.ts'
import { findWays, type Ways } from './find-ways.ts'
import { findKeptIds, type KeptIds } from './kept-ids.ts'
import { type Names, nameParts } from './part-names.ts'

export type Loose = Readonly<Record<string, unknown>>

/** Knowledge of the flow that is being written. */
export interface Writing {
  readonly flow: Flow
  readonly names: Names
  readonly ways: Ways
  readonly ids: KeptIds
  /** Groups that stand as steps of a way, and not among the groups. */
  readonly inside: ReadonlySet<Flow['groups'][number]>
}

/** How a flow is written. */
export interface WriteOptions {
  /** Whether every id is kept. */
  readonly keepsIds?: boolean
  /** Ids that something outside of the flow names; what else stands there is no matter. */
  readonly namedElsewhere?: ReadonlySet<string>
}

/** Looks a flow through before it is written. */
export function prepareWriting(
  flow: Flow,
  { keepsIds = false, namedElsewhere = new Set() }: WriteOptions,
  writeBranch: (branch: Branch) => readonly unknown[],
): Writing {
  const names = nameParts(flow, keepsIds)
  // The ids of groups that are steps of a way are made anew.
  const branches = keepsIds ? new Map() : findBranches(flow, { names, named: namedElsewhere })
  const ways = findWays(flow, { names, branches, writeBranch })
  const ids = findKeptIds(flow, { ways, named: namedElsewhere, all: keepsIds })
  const inside = new Set([...branches.values()].map(({ group }) => group))
  return { flow, names, ways, ids, inside }
}

/** A value of a block with names in place of the ids of variables and groups. */
export function withNames(value: unknown, names: Names): unknown {
  if (Array.isArray(value)) return value.map((part) => withNames(part, names))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, namedIn(key, part) ?? withNames(part, names)]),
  )

  function namedIn(key: string, part: unknown): string | undefined {
    if (typeof part !== 'string') return undefined
    if (key.endsWith('ariableId')) return names.variable(part)
    return key === 'groupId' ? names.group(part) : undefined
  }
}

/** The fields that every step may have. */
export function stepFields(block: Loose, { ids, ways }: Writing): Loose {
  const { id, outgoingEdgeId, lint } = block as { id: string; outgoingEdgeId?: string; lint?: unknown }
  return {
    ...(ids.ofBlock(id) && { id }),
    ...ways.of(outgoingEdgeId),
    ...(lint !== undefined && { lint }),
  }
}

/** Whether a map has nothing but some keys. */
export const hasOnly = (value: object, keys: readonly string[]): boolean =>
  Object.keys(value).every((key) => keys.includes(key))
