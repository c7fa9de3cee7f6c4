import type { WebhookPayload } from '../../conversation-store.ts'
import { longestAwayMs, type SessionRow } from '../../conversations/conversation-table.ts'
import type { DueRow } from '../../in-process/kept-sessions.ts'
import type { Database } from './binding.ts'
import { type Marks, markName } from './marks.ts'
import { countRow, type Tallies } from './tally.ts'

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
export function createSessionRows(
  database: Database,
  { marks, tallies, ttlMs }: { readonly marks: Marks; readonly tallies: Tallies; readonly ttlMs: number },
) {
  const select = database.prepare('SELECT expires, text, payload_number, payload FROM sessions WHERE id = ?')
  const head = database.prepare(
    'SELECT revision, octet_length(text) AS size, payload_number, payload FROM sessions WHERE id = ?',
  )
  const insert = database.prepare(
    `INSERT OR IGNORE INTO sessions (id, revision, expires, due, text)
     SELECT ?, ?, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM marks WHERE name = ?)`,
  )
  const update = database.prepare(
    'UPDATE sessions SET revision = ?, expires = ?, due = ?, text = ?, payload = ? WHERE id = ?',
  )
  const selectDue = database.prepare(
    'SELECT id, revision, due FROM sessions WHERE due <= ? AND expires >= ? ORDER BY due LIMIT ?',
  )
  const revive = database.prepare('UPDATE sessions SET expires = ? WHERE due BETWEEN ? AND ? AND expires < ?')
  const remove = database.prepare('DELETE FROM sessions WHERE id = ?')
  const receive = database.prepare(
    `UPDATE sessions SET payload_number = payload_number + 1, payload = ? WHERE id = ? AND revision = ?
     RETURNING payload_number`,
  )
  const dueOf = (now: number, dueIn: number | undefined) => (dueIn === undefined ? null : now + dueIn)
  const endOf = (now: number, dueIn = 0) => now + dueIn + ttlMs
  const find = (id: string) => head.get(id) as Head | undefined

  function insertNew({ id, revision, text, dueIn }: SessionChange, now: number): KeptRevision {
    const name = markName('session', [id])
    const { changes } = insert.run(id, revision, endOf(now, dueIn), dueOf(now, dueIn), text, name)
    if (changes === 0) return undefined
    countRow(tallies.sessions, Buffer.byteLength(text))
    if (revision === 1) countRow(tallies.starts, 0)
    return keptAlone
  }

  return {
    find(now: number, id: string, readAt: number | undefined): SessionRow | undefined {
      const row = select.get(id) as Row | undefined
      if (!row || Math.max(row.expires, (readAt ?? 0) + ttlMs) < now) return undefined
      return { kind: 'live', text: row.text, payload: payloadOf(row) }
    },
    keep(change: SessionChange, now: number): KeptRevision {
      // A first revision replaces nothing.
      const row = change.revision === 1 ? undefined : find(change.id)
      if (!row) return insertNew(change, now)
      if (row.revision !== change.revision - 1) return undefined
      const payload = row.payload_number > (change.droppedPayload ?? Infinity) ? payloadOf(row) : undefined
      const { id, revision, text, dueIn } = change
      update.run(revision, endOf(now, dueIn), dueOf(now, dueIn), text, payload?.text ?? null, id)
      tallies.sessions.bytes += Buffer.byteLength(change.text) - row.size
      if (row.revision === 1) countRow(tallies.starts, 0, -1)
      return payload ? { payload } : keptAlone
    },
    due: (now: number, limit: number) => selectDue.all(now, now, limit) as unknown as readonly DueRow[],
    /** Has those live on whose timers came due and whose life ended while nothing had the folder open. */
    revive: (now: number) => void revive.run(endOf(now), now - longestAwayMs, now, endOf(now)),
    /** Expired: not longer than a time to live ago. */
    whyMissing(now: number, id: string): 'expired' | 'erased' | undefined {
      if (marks.has('session', [id])) return 'erased'
      const row = select.get(id) as Row | undefined
      const isLate = row !== undefined && row.expires < now && row.expires + ttlMs >= now
      return isLate || marks.isCurrent('expired', [id], now) ? 'expired' : undefined
    },
    erase(id: string): void {
      const row = find(id)
      if (!row) return
      remove.run(id)
      countRow(tallies.sessions, row.size, -1)
      if (row.revision === 1) countRow(tallies.starts, 0, -1)
    },
    /** The number of the payload; undefined when the session has moved on or is gone. */
    webhook(id: string, revision: number, text: string): number | undefined {
      const row = receive.get(text, id, revision) as { payload_number: number } | undefined
      return row?.payload_number
    },
  }
}

function payloadOf(row: Pick<Row, 'payload' | 'payload_number'>): WebhookPayload | undefined {
  return row.payload === null ? undefined : { number: row.payload_number, text: row.payload }
}
