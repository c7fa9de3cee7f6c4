import type {
  AuditEntry,
  AuditRow,
  CatalogueEntry,
  ChangeOutcome,
  FlowChange,
  FlowVersion,
} from '../../flow-table.ts'
import type { OutgoingEvent } from '../../outgoing/outbox-store.ts'
import { eventsOfChange, type FlowRow, planFlowChange } from '../../plan-flow-change.ts'
import type { Database } from './binding.ts'

type FlagsAsNumbers<Row> = Omit<Row, 'isClosed' | 'isArchived'> & {
  readonly isClosed: number
  readonly isArchived: number
}

const entries = `SELECT public_id AS publicId, version, hash, published_at AS publishedAt, published_by AS publishedBy,
    is_closed AS isClosed, is_archived AS isArchived
  FROM flows JOIN flow_versions USING (public_id, version)`

/** Flows that were published over HTTP, with their versions, and who changed them. */
export function createFlowRows(
  database: Database,
  putOut: (events: readonly OutgoingEvent[], now: number) => void,
) {
  const list = database.prepare(`${entries} ORDER BY public_id`)
  const find = database.prepare(`${entries} WHERE public_id = ?`)
  const versions = database.prepare(
    `SELECT version, hash, published_at AS publishedAt, published_by AS publishedBy
     FROM flow_versions WHERE public_id = ? ORDER BY version DESC`,
  )
  const row = database.prepare(
    `SELECT version, last_version AS lastVersion, is_closed AS isClosed, is_archived AS isArchived
     FROM flows WHERE public_id = ?`,
  )
  const target = database.prepare('SELECT 1 FROM flow_versions WHERE public_id = ? AND version = ?')
  const putRow = database.prepare('INSERT OR REPLACE INTO flows VALUES (?, ?, ?, ?, ?)')
  const putVersion = database.prepare('INSERT INTO flow_versions VALUES (?, ?, ?, ?, ?)')
  const putDefinition = database.prepare(
    'INSERT OR IGNORE INTO definitions (hash, released, text) VALUES (?, ?, ?)',
  )
  // Turns may be under way that have looked a flow up: its definitions go later, and not while sessions run them.
  const release = database.prepare(
    `UPDATE definitions SET released = ? WHERE released IS NOT NULL
     AND hash IN (SELECT hash FROM flow_versions WHERE public_id = ?)`,
  )
  const removeVersions = database.prepare('DELETE FROM flow_versions WHERE public_id = ?')
  const putAudit = database.prepare(
    'INSERT INTO audit (at, actor, action, subject, detail) VALUES (?, ?, ?, ?, ?)',
  )
  const audit = database.prepare(
    'SELECT number, at, actor, action, subject, detail FROM audit WHERE number < ? ORDER BY number DESC LIMIT ?',
  )

  const findEntry = (publicId: string) => {
    const found = find.get(publicId) as FlagsAsNumbers<CatalogueEntry> | undefined
    return found && withFlags(found)
  }

  function write(after: FlowRow, change: FlowChange, now: number): void {
    const { publicId, actor, action } = change
    const { version, lastVersion, isClosed, isArchived } = after
    putRow.run(publicId, version, lastVersion, Number(isClosed), Number(isArchived))
    if (action.kind === 'publish') {
      putDefinition.run(action.hash, now, action.text)
      putVersion.run(publicId, version, action.hash, now, actor)
    } else if (action.kind === 'delete') {
      release.run(now, publicId)
      removeVersions.run(publicId)
    }
  }

  return {
    list: () => (list.all() as FlagsAsNumbers<CatalogueEntry>[]).map(withFlags),
    find: findEntry,
    versions: (publicId: string) => versions.all(publicId) as FlowVersion[],
    change(now: number, change: FlowChange): ChangeOutcome {
      const { publicId, actor, action } = change
      const found = row.get(publicId) as FlagsAsNumbers<FlowRow> | undefined
      const hasTarget = action.kind === 'rollback' && target.get(publicId, action.version) !== undefined
      const before = { row: found && withFlags(found), hash: findEntry(publicId)?.hash, hasTarget }
      const plan = planFlowChange(before, change)
      if (plan.kind === 'refuse') return plan.outcome
      if (plan.kind === 'write') {
        write(plan.row, change, now)
        putAudit.run(now, actor, action.kind, publicId, plan.detail)
        putOut(eventsOfChange(change, plan.row), now)
      }
      return { state: plan.kind === 'write' ? 'changed' : 'unchanged', entry: findEntry(publicId) }
    },
    note: (now: number, { actor, action, subject, detail }: AuditEntry) =>
      void putAudit.run(now, actor, action, subject, detail),
    audit: (before: number, limit: number) => audit.all(before, limit) as AuditRow[],
  }
}

/** SQLite has no booleans. */
function withFlags<Row>(row: FlagsAsNumbers<Row>) {
  return { ...row, isClosed: row.isClosed === 1, isArchived: row.isArchived === 1 } as Row
}
