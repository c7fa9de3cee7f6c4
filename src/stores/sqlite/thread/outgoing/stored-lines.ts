import { type InLine, WaitingLines } from '../../../outgoing/waiting-lines.ts'
import type { Database } from '../binding.ts'

interface Waiting extends InLine {
  readonly due: number
}

/**
 * The lines of a table, in memory: every turn would write to indices of them in the file, and to a page of its own in that of lines.
 * They are read anew when the folder is opened, and follow transactions.
 */
export class StoredLines extends WaitingLines {
  /** Undoes the transaction, from its end. */
  #undo: (() => void)[] = []

  constructor(database: Database, table: 'outbox' | 'inbox') {
    const waiting = database.prepare(
      `SELECT number, line, destination, due FROM ${table} WHERE due IS NOT NULL ORDER BY number`,
    )
    const due = database.prepare(`SELECT due FROM ${table} WHERE number = ?`)
    super((number) => due.get<Pick<Waiting, 'due'>>(number)?.due)
    for (const event of waiting.all<Waiting>()) this.join(event, event.due)
    this.confirm()
  }

  confirm(): void {
    if (this.#undo.length > 0) this.#undo = []
  }

  revert(): void {
    for (const undo of this.#undo.reverse()) undo()
    this.#undo = []
  }

  protected override changed(undo: () => void): void {
    this.#undo.push(undo)
  }
}
