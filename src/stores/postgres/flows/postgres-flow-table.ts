import type {
  AuditRow,
  CatalogueEntry,
  ChangeOutcome,
  FlowChange,
  FlowTable,
  FlowVersion,
} from '../../flow-table.ts'
import { eventsOfChange, type FlowRow, planFlowChange } from '../../plan-flow-change.ts'
import { getDefinition, putDefinition } from '../definition-statements.ts'
import { outboxColumnsOf, putOutAlone } from '../outgoing/outbox-statements.ts'
import type { PostgresDatabase, Query } from '../postgres-database.ts'
import { storableText } from '../postgres-text.ts'
import {
  announceChange,
  findFlow,
  flowBefore,
  listAudit,
  listFlows,
  listVersions,
  lockFlows,
  noteInAudit,
  putFlow,
  putVersion,
  removeVersions,
} from './flow-statements.ts'
import { type FollowOptions, followFlows } from './follow-flows.ts'

interface PostgresFlowTableOptions extends FollowOptions {
  readonly database: Pick<PostgresDatabase, 'query' | 'transaction'>
}

/** The catalogue that all processes on a database share. */
export function createPostgresFlowTable(options: PostgresFlowTableOptions): FlowTable {
  const { query, transaction } = options.database
  return {
    list: () => query<CatalogueEntry>(listFlows),
    find: (publicId) => find(query, publicId),
    versions: (publicId) => query<FlowVersion>(listVersions, [publicId]),
    async definition(hash) {
      const [row] = await query<{ body: string }>(getDefinition, [hash])
      return row?.body
    },
    change: (change) => transaction((within) => changeFlow(within, change)),
    async note({ actor, action, subject, detail }) {
      await query(noteInAudit, [actor, action, storableText(subject), detail])
    },
    audit: ({ before = Number.MAX_SAFE_INTEGER, limit }) => query<AuditRow>(listAudit, [before, limit]),
    follow: (onChange) => followFlows(options, onChange),
  }
}

async function find(query: Query, publicId: string): Promise<CatalogueEntry | undefined> {
  const [entry] = await query<CatalogueEntry>(findFlow, [publicId])
  return entry
}

interface Before extends FlowRow {
  readonly hash: string | null
  readonly hasTarget: boolean
}

async function changeFlow(query: Query, change: FlowChange): Promise<ChangeOutcome> {
  const { publicId, actor, action } = change
  await query(lockFlows)
  const target = action.kind === 'rollback' ? action.version : 0
  const [row] = await query<Before>(flowBefore, [publicId, target])
  const before = { row, hash: row?.hash ?? undefined, hasTarget: row?.hasTarget ?? false }
  const plan = planFlowChange(before, change)
  if (plan.kind === 'refuse') return plan.outcome
  if (plan.kind === 'write') {
    const { version, lastVersion, isClosed, isArchived } = plan.row
    await query(putFlow, [publicId, version, lastVersion, isClosed, isArchived])
    if (action.kind === 'publish') {
      await query(putDefinition, [action.hash, action.text, true])
      await query(putVersion, [publicId, version, action.hash, actor])
    } else if (action.kind === 'delete') {
      await query(removeVersions, [publicId])
    }
    await query(announceChange, [actor, action.kind, publicId, plan.detail])
    const events = eventsOfChange(change, plan.row)
    if (events.length > 0)
      await query(putOutAlone, outboxColumnsOf(events.map((event) => ({ ...event, turn: 1 }))))
  }
  const entry = await find(query, publicId)
  return { state: plan.kind === 'write' ? 'changed' : 'unchanged', entry }
}
