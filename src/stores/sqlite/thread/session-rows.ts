import type { WebhookPayload } from '../../conversation-store.ts'
import { longestAwayMs, type SessionRow } from '../../conversations/conversation-table.ts'
import type { DueRow } from '../../in-process/kept-sessions.ts'
import { prepareAll } from './binding.ts'
import { markName } from './marks.ts'
import type { RowsContext } from './rows-context.ts'
import { countRow } from './tally.ts'

interface Row {
  readonly revision: number
  readonly expires: number
  readonly text: string
  readonly payload_number: number
  readonly payload: string | null
}

type Head = Omit<Row, 'text' | 'expires'> & { readonly size: number }

export interface SessionChange {
  readonly id: string
  readonly text: string
  readonly revision: number
  /** Payloads up to this number are dropped; all of them where it is absent. */
  readonly droppedPayload?: number
  /** Milliseconds until it has something to do by itself. */
  readonly dueIn?: number
}

/** Undefined when the session was erased, or is at another revision than the turn read: nothing was kept. */
export type KeptRevision = { readonly payload?: WebhookPayload } | undefined

/** Kept without a payload. One object for all: a message holds it once. */
export const keptAlone: KeptRevision = Object.freeze({})

/** Live sessions. Their revision, their end and their payload have columns of their own. */
export class SessionRows {
  readonly #context: RowsContext
  readonly #ttlMs: number
  readonly #statements

  constructor(context: RowsContext) {
    this.#context = context
    this.#ttlMs = context.bounds.sessionTtlMs
    this.#statements = prepareAll(context.database, {
      select: 'SELECT expires, text, payload_number, payload FROM sessions WHERE id = ?',
      head: 'SELECT revision, octet_length(text) AS size, payload_number, payload FROM sessions WHERE id = ?',
      insert: `INSERT OR IGNORE INTO sessions (id, revision, expires, due, text)
        SELECT ?, ?, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM marks WHERE name = ?)`,
      update: 'UPDATE sessions SET revision = ?, expires = ?, due = ?, text = ?, payload = ? WHERE id = ?',
      due: 'SELECT id, revision, due FROM sessions WHERE due <= ? AND expires >= ? ORDER BY due LIMIT ?',
      revive: 'UPDATE sessions SET expires = ? WHERE due BETWEEN ? AND ? AND expires < ?',
      remove: 'DELETE FROM sessions WHERE id = ?',
      receive: `UPDATE sessions SET payload_number = payload_number + 1, payload = ? WHERE id = ? AND revision = ?
        RETURNING payload_number AS number`,
    })
  }

  find(id: string, readAt = 0): SessionRow | undefined {
    const row = this.#statements.select.get<Row>(id)
    if (!row || Math.max(row.expires, readAt + this.#ttlMs) < this.#context.clock.now) return undefined
    return { kind: 'live', text: row.text, payload: payloadOf(row) }
  }

  /** The row that a change takes the place of; a first revision replaces nothing. */
  before({ id, revision }: SessionChange): Head | undefined {
    return revision === 1 ? undefined : this.#head(id)
  }

  keep(change: SessionChange, row = this.before(change)): KeptRevision {
    const { id, revision, text, dueIn, droppedPayload = Infinity } = change
    if (!row) return this.#insert(change)
    if (row.revision !== revision - 1) return undefined
    const { tallies } = this.#context
    const payload = row.payload_number > droppedPayload ? payloadOf(row) : undefined
    this.#statements.update.run(revision, ...this.#times(dueIn), text, payload?.text ?? null, id)
    tallies.sessions.bytes += Buffer.byteLength(text) - row.size
    if (row.revision === 1) countRow(tallies.starts, 0, -1)
    return payload ? { payload } : keptAlone
  }

  due(limit: number): readonly DueRow[] {
    const { now } = this.#context.clock
    return this.#statements.due.all(now, now, limit)
  }

  /** Has those live on whose timers came due and whose life ended while nothing had the folder open. */
  revive(): void {
    const { now } = this.#context.clock
    const end = now + this.#ttlMs
    this.#statements.revive.run(end, now - longestAwayMs, now, end)
  }

  /** Expired: not longer than a time to live ago. */
  whyMissing(id: string): 'expired' | 'erased' | undefined {
    const { clock, marks } = this.#context
    if (marks.has('session', [id])) return 'erased'
    const row = this.#statements.select.get<Row>(id)
    const isLate = row !== undefined && row.expires < clock.now && row.expires + this.#ttlMs >= clock.now
    return isLate || marks.isCurrent('expired', [id]) ? 'expired' : undefined
  }

  erase(id: string): void {
    const { tallies } = this.#context
    const row = this.#head(id)
    if (!row) return
    this.#statements.remove.run(id)
    countRow(tallies.sessions, row.size, -1)
    if (row.revision === 1) countRow(tallies.starts, 0, -1)
  }

  /** The number of the payload; undefined when the session has moved on or is gone. */
  putPayload(id: string, revision: number, text: string): number | undefined {
    return this.#statements.receive.get<{ number: number }>(text, id, revision)?.number
  }

  #head(id: string): Head | undefined {
    return this.#statements.head.get(id)
  }

  #insert({ id, revision, text, dueIn }: SessionChange): KeptRevision {
    const { tallies } = this.#context
    const name = markName('session', [id])
    const { changes } = this.#statements.insert.run(id, revision, ...this.#times(dueIn), text, name)
    if (changes === 0) return undefined
    countRow(tallies.sessions, Buffer.byteLength(text))
    if (revision === 1) countRow(tallies.starts, 0)
    return keptAlone
  }

  /** When it ends, and when it is due. */
  #times(dueIn: number | undefined): readonly [expires: number, due: number | null] {
    const { now } = this.#context.clock
    return [now + (dueIn ?? 0) + this.#ttlMs, dueIn === undefined ? null : now + dueIn]
  }
}

function payloadOf(row: Pick<Row, 'payload' | 'payload_number'>): WebhookPayload | undefined {
  return row.payload === null ? undefined : { number: row.payload_number, text: row.payload }
}
