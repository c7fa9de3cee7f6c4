import { droppedAnswer } from '../../conversation-store.ts'
import { prepareAll } from './binding.ts'
import type { RowsContext } from './rows-context.ts'
import { countRow, uncountRows } from './tally.ts'

export interface AnswerRow {
  readonly name: string
  readonly sessionId: string
  readonly fingerprint: string
  /** Undefined for a start whose process ended on the way, and which goes on under the same session id. */
  readonly text: string | undefined
}

/** Answers to requests with a key, and the keys of starts that are being answered. */
export class AnswerRows {
  readonly #context: RowsContext
  readonly #statements

  constructor(context: RowsContext) {
    this.#context = context
    this.#statements = prepareAll(context.database, {
      select:
        'SELECT name, session_id AS sessionId, fingerprint, text FROM answers WHERE name = ? AND expires >= ?',
      insert: 'INSERT INTO answers (name, session_id, fingerprint, expires, text) VALUES (?, ?, ?, ?, ?)',
      drop: 'DELETE FROM answers WHERE name = ? RETURNING octet_length(text) AS size',
      dropOf: 'DELETE FROM answers WHERE session_id = ? RETURNING octet_length(text) AS size',
    })
  }

  find(name: string): AnswerRow | undefined {
    const { clock, marks } = this.#context
    const row = this.#statements.select.get<AnswerRow>(name, clock.now)
    if (row) return { ...row, text: row.text ?? undefined }
    const isDropped = marks.isCurrent('answer', [name])
    return isDropped ? { name, sessionId: '', fingerprint: '', text: droppedAnswer } : undefined
  }

  /** Takes the place of what the name has. */
  put({ name, sessionId, fingerprint, text }: AnswerRow, expires: number): void {
    this.remove(name)
    this.#statements.insert.run(name, sessionId, fingerprint, expires, text ?? null)
    if (text !== undefined) countRow(this.#context.tallies.answers, Buffer.byteLength(text))
  }

  remove(name: string): void {
    uncountRows(this.#context.tallies.answers, this.#statements.drop.all(name))
  }

  removeOf(sessionId: string): void {
    uncountRows(this.#context.tallies.answers, this.#statements.dropOf.all(sessionId))
  }
}
