import { droppedAnswer } from '../../conversation-store.ts'
import type { AnswerRow } from '../database-protocol.ts'
import type { Database } from './binding.ts'
import type { Marks } from './marks.ts'
import { countRow, type Tallies } from './tally.ts'

interface Row {
  readonly session_id: string
  readonly fingerprint: string
  readonly expires: number
  readonly text: string | null
}

interface AnswerRows {
  find(name: string, now: number): AnswerRow | undefined
  /** Takes the place of what the name has. */
  put(answer: AnswerRow, expires: number): void
  remove(name: string): void
  removeOf(sessionId: string): void
}

/** Answers to requests with a key, and the keys of starts that are being answered. */
export function createAnswerRows(
  database: Database,
  { marks, tallies: { answers } }: { readonly marks: Marks; readonly tallies: Pick<Tallies, 'answers'> },
): AnswerRows {
  const select = database.prepare('SELECT session_id, fingerprint, expires, text FROM answers WHERE name = ?')
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
    find(name, now) {
      const row = select.get(name) as Row | undefined
      if (!row && marks.isCurrent('answer', [name], now))
        return { name, sessionId: '', fingerprint: '', text: droppedAnswer }
      if (!row || row.expires < now) return undefined
      const { session_id: sessionId, fingerprint, text } = row
      return { name, sessionId, fingerprint, text: text ?? undefined }
    },
    put({ name, sessionId, fingerprint, text }, expires) {
      remove(name)
      insert.run(name, sessionId, fingerprint, expires, text ?? null)
      if (text !== undefined) countRow(answers, Buffer.byteLength(text))
    },
    remove,
    removeOf: (sessionId) => uncount(dropOf.all(sessionId)),
  }
}
