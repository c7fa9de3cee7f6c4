import { droppedAnswer } from '../../conversation-store.ts'
import type { Database } from './binding.ts'
import type { Marks } from './marks.ts'
import { countRow, type Tallies } from './tally.ts'

export interface AnswerRow {
  readonly name: string
  readonly sessionId: string
  readonly fingerprint: string
  /** Undefined for a start whose process ended on the way, and which goes on under the same session id. */
  readonly text: string | undefined
}

/** Answers to requests with a key, and the keys of starts that are being answered. */
export function createAnswerRows(
  database: Database,
  { marks, tallies: { answers } }: { readonly marks: Marks; readonly tallies: Pick<Tallies, 'answers'> },
) {
  const select = database.prepare(
    'SELECT name, session_id AS sessionId, fingerprint, text FROM answers WHERE name = ? AND expires >= ?',
  )
  const insert = database.prepare(
    'INSERT INTO answers (name, session_id, fingerprint, expires, text) VALUES (?, ?, ?, ?, ?)',
  )
  const drop = database.prepare('DELETE FROM answers WHERE name = ? RETURNING octet_length(text) AS size')
  const dropOf = database.prepare(
    'DELETE FROM answers WHERE session_id = ? RETURNING octet_length(text) AS size',
  )
  const uncount = (rows: readonly unknown[]) => {
    for (const { size } of rows as { size: number | null }[]) if (size !== null) countRow(answers, size, -1)
  }
  const remove = (name: string) => uncount(drop.all(name))
  return {
    find(now: number, name: string): AnswerRow | undefined {
      const row = select.get(name, now) as (Omit<AnswerRow, 'text'> & { text: string | null }) | undefined
      if (row) return { ...row, text: row.text ?? undefined }
      const isDropped = marks.isCurrent('answer', [name], now)
      return isDropped ? { name, sessionId: '', fingerprint: '', text: droppedAnswer } : undefined
    },
    /** Takes the place of what the name has. */
    put({ name, sessionId, fingerprint, text }: AnswerRow, expires: number): void {
      remove(name)
      insert.run(name, sessionId, fingerprint, expires, text ?? null)
      if (text !== undefined) countRow(answers, Buffer.byteLength(text))
    },
    remove,
    removeOf: (sessionId: string) => uncount(dropOf.all(sessionId)),
  }
}
