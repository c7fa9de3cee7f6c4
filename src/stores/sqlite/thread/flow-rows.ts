import type {
  AuditEntry,
  AuditRow,
  CatalogueEntry,
  ChangeOutcome,
  FlowChange,
  FlowTable,
  FlowVersion,
} from '../../flow-table.ts'
import { eventsOfChange, type FlowPlan, type FlowRow, planFlowChange } from '../../plan-flow-change.ts'
import { prepareAll } from './binding.ts'
import type { OutboxRows } from './outgoing/outbox-rows.ts'
import type { RowsContext } from './rows-context.ts'

type FlagsAsNumbers<Row> = Omit<Row, 'isClosed' | 'isArchived'> & {
  readonly isClosed: number
  readonly isArchived: number
}

const entries = `SELECT public_id AS publicId, version, hash, published_at AS publishedAt, published_by AS publishedBy,
    is_closed AS isClosed, is_archived AS isArchived
  FROM flows JOIN flow_versions USING (public_id, version)`

const texts = {
  list: `${entries} ORDER BY public_id`,
  find: `${entries} WHERE public_id = ?`,
  versions: `SELECT version, hash, published_at AS publishedAt, published_by AS publishedBy
    FROM flow_versions WHERE public_id = ? ORDER BY version DESC`,
  row: `SELECT version, last_version AS lastVersion, is_closed AS isClosed, is_archived AS isArchived
    FROM flows WHERE public_id = ?`,
  target: 'SELECT 1 FROM flow_versions WHERE public_id = ? AND version = ?',
  putRow: 'INSERT OR REPLACE INTO flows VALUES (?, ?, ?, ?, ?)',
  putVersion: 'INSERT INTO flow_versions VALUES (?, ?, ?, ?, ?)',
  putDefinition: 'INSERT OR IGNORE INTO definitions (hash, released, text) VALUES (?, ?, ?)',
  // Turns may be under way that have looked a flow up: its definitions go later, and not while sessions run them.
  release: `UPDATE definitions SET released = ? WHERE released IS NOT NULL
    AND hash IN (SELECT hash FROM flow_versions WHERE public_id = ?)`,
  removeVersions: 'DELETE FROM flow_versions WHERE public_id = ?',
  putAudit: 'INSERT INTO audit (at, actor, action, subject, detail) VALUES (?, ?, ?, ?, ?)',
  audit:
    'SELECT number, at, actor, action, subject, detail FROM audit WHERE number < ? ORDER BY number DESC LIMIT ?',
}

/** Flows that were published over HTTP, with their versions, and who changed them. */
export class FlowRows {
  readonly #clock: RowsContext['clock']
  readonly #outbox: Pick<OutboxRows, 'put'>
  readonly #statements

  constructor({ database, clock }: RowsContext, outbox: Pick<OutboxRows, 'put'>) {
    this.#clock = clock
    this.#outbox = outbox
    this.#statements = prepareAll(database, texts)
  }

  list(): readonly CatalogueEntry[] {
    return this.#statements.list.all<FlagsAsNumbers<CatalogueEntry>>().map(withFlags)
  }

  find(publicId: string): CatalogueEntry | undefined {
    const found = this.#statements.find.get<FlagsAsNumbers<CatalogueEntry>>(publicId)
    return found && withFlags(found)
  }

  versions(publicId: string): readonly FlowVersion[] {
    return this.#statements.versions.all(publicId)
  }

  change(change: FlowChange): ChangeOutcome {
    const { publicId, action } = change
    const found = this.#statements.row.get<FlagsAsNumbers<FlowRow>>(publicId)
    const hasTarget =
      action.kind === 'rollback' && this.#statements.target.get(publicId, action.version) !== undefined
    const before = { row: found && withFlags(found), hash: this.find(publicId)?.hash, hasTarget }
    const plan = planFlowChange(before, change)
    if (plan.kind === 'refuse') return plan.outcome
    if (plan.kind === 'write') this.#write(change, plan)
    return { state: plan.kind === 'write' ? 'changed' : 'unchanged', entry: this.find(publicId) }
  }

  note({ actor, action, subject, detail }: AuditEntry): void {
    this.#statements.putAudit.run(this.#clock.now, actor, action, wholeText(subject), wholeText(detail))
  }

  audit({ before = Number.MAX_SAFE_INTEGER, limit }: Parameters<FlowTable['audit']>[0]): readonly AuditRow[] {
    return this.#statements.audit.all(before, limit)
  }

  #write(change: FlowChange, { row, detail }: Extract<FlowPlan, { kind: 'write' }>): void {
    const { publicId, actor, action } = change
    const { now } = this.#clock
    const { version, lastVersion, isClosed, isArchived } = row
    const { putRow, putDefinition, putVersion, release, removeVersions } = this.#statements
    putRow.run(publicId, version, lastVersion, Number(isClosed), Number(isArchived))
    if (action.kind === 'publish') {
      putDefinition.run(action.hash, now, action.text)
      putVersion.run(publicId, version, action.hash, now, actor)
    } else if (action.kind === 'delete') {
      release.run(now, publicId)
      removeVersions.run(publicId)
    }
    this.note({ actor, action: action.kind, subject: publicId, detail })
    this.#outbox.put(eventsOfChange(change, row))
  }
}

/** SQLite has no booleans. */
function withFlags<Row>(row: FlagsAsNumbers<Row>) {
  return { ...row, isClosed: row.isClosed === 1, isArchived: row.isArchived === 1 } as Row
}

/** A text that SQLite gives back whole: it ends one at the character 0. */
const wholeText = (text: string) => text.replaceAll('\0', '\uFFFD')
