import type {
  AuditRow,
  CatalogueEntry,
  ChangeOutcome,
  FlowChange,
  FlowTable,
  FlowVersion,
} from '../flow-table.ts'
import { eventsOfChange, type FlowRow, planFlowChange } from '../plan-flow-change.ts'
import { getDefinition, putDefinition } from './definition-statements.ts'
import { outboxColumnsOf, putOutAlone } from './outgoing/outbox-statements.ts'
import type { PostgresDatabase, Query } from './postgres-database.ts'
import { PostgresListener } from './postgres-listener.ts'

const entries = `SELECT f.public_id AS "publicId", f.version, v.hash, v.published_at AS "publishedAt",
  v.published_by AS "publishedBy", f.is_closed AS "isClosed", f.is_archived AS "isArchived"
FROM flows f JOIN flow_versions v ON v.flow_id = f.id AND v.version = f.version`

const listFlows = `${entries} ORDER BY f.public_id`

const findFlow = `${entries} WHERE f.id = $1`

const listVersions = `SELECT version, hash, published_at AS "publishedAt",
  published_by AS "publishedBy" FROM flow_versions WHERE flow_id = $1 ORDER BY version DESC`

/**
 * Lets one process at a time change flows. Their changes are then seen in the order of their numbers: a process that has
 * seen one has seen all before it.
 */
const lockFlows = `SELECT pg_advisory_xact_lock(hashtextextended('flow catalogue', 0))`

/** The number of the last change, and what has changed since that of another: flows that are deleted keep their row. */
const changesSince = `SELECT (SELECT coalesce(max(changed), 0) FROM flows) AS changed,
  ARRAY(SELECT public_id FROM flows WHERE changed > $1) AS "publicIds"`

/** A flow as it is, and whether it has the version $2. */
const flowBefore = `SELECT f.version, f.last_version AS "lastVersion", f.is_closed AS "isClosed",
  f.is_archived AS "isArchived",
  (SELECT hash FROM flow_versions v WHERE v.flow_id = f.id AND v.version = f.version) AS hash,
  EXISTS (SELECT FROM flow_versions v WHERE v.flow_id = f.id AND v.version = $2) AS "hasTarget"
FROM flows f WHERE f.id = $1`

const putFlow = `INSERT INTO flows (id, public_id, version, last_version, is_closed, is_archived)
VALUES ($1, $1, $2, $3, $4, $5)
ON CONFLICT (id) DO UPDATE SET version = excluded.version, last_version = excluded.last_version,
  is_closed = excluded.is_closed, is_archived = excluded.is_archived, changed = nextval('flow_changes')`

const putVersion = `INSERT INTO flow_versions (flow_id, version, hash, published_at, published_by)
VALUES ($1, $2, $3, service_clock(), $4)`

/** Turns may be under way that have looked the flow up: its definitions go later. */
const removeVersions = `WITH removed AS (DELETE FROM flow_versions WHERE flow_id = $1 RETURNING hash)
UPDATE definitions SET used_at = service_clock() WHERE hash IN (SELECT hash FROM removed)`

/** Says who did what, and lets other processes look. */
const announceChange = `WITH row AS (
  INSERT INTO audit (at, actor, action, subject, detail) VALUES (service_clock(), $1, $2, $3, $4)
)
SELECT pg_notify('flow_changes', '')`

const noteInAudit =
  'INSERT INTO audit (at, actor, action, subject, detail) VALUES (service_clock(), $1, $2, $3, $4)'

const listAudit = `SELECT number, at, actor, action, subject, detail FROM audit
WHERE number < $1 ORDER BY number DESC LIMIT $2`

interface PostgresFlowTableOptions {
  readonly databaseUrl: string
  /** Milliseconds between two looks, whatever notifications say: they are lost while the server is away. */
  readonly pollMs?: number
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
      await query(noteInAudit, [actor, action, subject, detail])
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
    if (events.length > 0) await query(putOutAlone, [events.map(() => 1), ...outboxColumnsOf(events)])
  }
  const entry = await find(query, publicId)
  return { state: plan.kind === 'write' ? 'changed' : 'unchanged', entry }
}

interface Changes {
  readonly changed: string
  readonly publicIds: readonly string[]
}

/**
 * Calls with every change of the catalogue, whichever process made it, and once at the beginning; where the call rejects,
 * it is made again. Keeps a connection of its own, which is renewed when it is lost. Returns what ends that.
 */
function followFlows(
  { databaseUrl, pollMs }: PostgresFlowTableOptions,
  onChange: Parameters<FlowTable['follow']>[0],
): () => Promise<void> {
  let seen: string | undefined
  let isClosed = false
  const listener = new PostgresListener({
    databaseUrl,
    ...(pollMs !== undefined && { pollMs }),
    channel: 'flow_changes',
    onText: () => void listener.look(),
    async look(client) {
      const { rows } = await client.query<Changes>(changesSince, [seen])
      const { changed, publicIds } = rows[0] as Changes
      if (isClosed || changed === seen) return
      // A database that was restored may be back at an earlier number.
      await onChange(publicIds.length > 0 ? publicIds : undefined)
      seen = changed
    },
  })
  return () => {
    isClosed = true
    return listener.close()
  }
}
