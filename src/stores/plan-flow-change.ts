import type { ChangeOutcome, FlowAction, FlowChange } from './flow-table.ts'
import type { OutgoingEvent } from './outgoing/outbox-store.ts'

/** A flow as its row has it. */
export interface FlowRow {
  /** The one that is served; 0 for a flow that was deleted. */
  readonly version: number
  /** The last number that was given away. */
  readonly lastVersion: number
  readonly isClosed: boolean
  readonly isArchived: boolean
}

/** All that is known of a flow before a change. */
interface FlowBefore {
  /** Undefined for one that never was. */
  readonly row: FlowRow | undefined
  /** Of the version that is served. */
  readonly hash: string | undefined
  /** Whether there is the version that a rollback names. */
  readonly hasTarget: boolean
}

/** The outcome of a change. */
export type FlowPlan =
  | { readonly kind: 'refuse'; readonly outcome: ChangeOutcome }
  | { readonly kind: 'keep' }
  | {
      readonly kind: 'write'
      readonly row: FlowRow
      /** For the audit. */
      readonly detail: string
    }

const none: FlowRow = { version: 0, lastVersion: 0, isClosed: false, isArchived: false }

/** Decides what becomes of a flow, from what is known of it while it is locked. */
export function planFlowChange(
  before: FlowBefore,
  { expected, action }: Pick<FlowChange, 'expected' | 'action'>,
): FlowPlan {
  const { row = none } = before
  const isExpected = expected?.includes(row.version) ?? true
  if (!isExpected) return { kind: 'refuse', outcome: { state: 'other version', version: row.version } }
  const isThere = row.version > 0 && (action.kind !== 'rollback' || before.hasTarget)
  if (action.kind !== 'publish' && !isThere) return { kind: 'refuse', outcome: { state: 'not found' } }
  return plan(row, before.hash, action)
}

function plan(row: FlowRow, hash: string | undefined, action: FlowAction): FlowPlan {
  switch (action.kind) {
    case 'publish': {
      const isSame = row.version > 0 && hash === action.hash
      if (isSame) return { kind: 'keep' }
      const version = row.lastVersion + 1
      const { isClosed, isArchived } = row.version > 0 ? row : action
      return write({ version, lastVersion: version, isClosed, isArchived }, `version ${version}`)
    }
    case 'rollback':
      if (action.version === row.version) return { kind: 'keep' }
      return write({ ...row, version: action.version }, `version ${row.version} to ${action.version}`)
    case 'set': {
      const { isClosed = row.isClosed, isArchived = row.isArchived } = action
      if (isClosed === row.isClosed && isArchived === row.isArchived) return { kind: 'keep' }
      return write({ ...row, isClosed, isArchived }, `isClosed ${isClosed}, isArchived ${isArchived}`)
    }
    case 'delete':
      return write({ ...none, lastVersion: row.lastVersion }, `version ${row.version}`)
  }
}

/** Events of a change that was made, in order for each flow. */
export function eventsOfChange(
  { publicId, actor, action, announce }: FlowChange,
  { version }: FlowRow,
): readonly OutgoingEvent[] {
  if (!announce || (action.kind !== 'publish' && action.kind !== 'rollback')) return []
  const { eventId, timestamp, destinations } = announce
  const type = 'flow.published'
  const body = JSON.stringify({ type, timestamp, data: { flow: publicId, version, publishedBy: actor } })
  return destinations.map((destination) => ({ destination, line: `flow ${publicId}`, eventId, type, body }))
}

const write = (row: FlowRow, detail: string): FlowPlan => ({ kind: 'write', row, detail })
