import type { QueueEntry, Session } from '../../sessions/session.ts'
import type { SessionContact } from '../../sessions/session-contact.ts'
import {
  type ContactRow,
  contactRow,
  entryColumns,
  readContactRow,
  readTimerRow,
  sessionColumns,
  type TimerRow,
  timerRow,
} from '../codec/conversation-codec.ts'
import { fromRow, toRow } from '../codec/row-codec.ts'
import type { SessionRow, SessionTexts } from '../conversations/conversation-table.ts'

const states = ['registered', 'waiting', 'ended'] as const

/** Programs that are written as numbers; those beyond are written out. */
const mostShared = 10_000

/** State, revision, time, answers and queue stand first in each row; behind them the others that are there, each after its place. */
const before = 5

const always: readonly string[] = ['id', 'kind', 'state', 'createdAt', 'answered', 'queue']
const places = [...sessionColumns.keys()].filter((place) => !always.includes(sessionColumns[place] as string))

/**
 * Sessions as texts of this process alone. Their ids and kinds are kept beside them, and very many are on the same version of a
 * flow: written out, these and the names of columns would take up a third of each.
 */
export class MemoryTexts implements SessionTexts {
  readonly #programs: string[] = []
  readonly #numbers = new Map<string, number>()

  write(session: Session, revision: number): string {
    const { kind, state, createdAt, answered, queue, contact, timers } = session
    const entries = queue.map((entry) => {
      const row = toRow(entry, entryColumns)
      // A draft is of one preview.
      if (kind === 'live') row[0] = this.#numberOf(entry.program)
      return row
    })
    const row: unknown[] = [states.indexOf(state), revision, createdAt, answered, entries]
    for (const place of places) {
      const column = sessionColumns[place] as keyof Session
      const value = session[column]
      if (value === undefined) continue
      if (column === 'contact') row.push(place, contactRow(contact as SessionContact))
      else if (column === 'timers') row.push(place, timers?.map(timerRow))
      else row.push(place, value)
    }
    return JSON.stringify(row)
  }

  read(text: string, id: string, kind: SessionRow['kind']): { session: Session; revision: number } {
    const row = JSON.parse(text) as unknown[]
    const [state, revision, createdAt, answered, entries] = row as [
      number,
      number,
      number,
      number,
      unknown[][],
    ]
    const others: Record<string, unknown> = {}
    for (let at = before; at < row.length; at += 2) {
      const column = sessionColumns[row[at] as number] as string
      const value = row[at + 1]
      if (column === 'contact') others[column] = readContactRow(value as ContactRow)
      else if (column === 'timers') others[column] = (value as readonly TimerRow[]).map(readTimerRow)
      else others[column] = value
    }
    const queue = entries.map((entry) => this.#readEntry(entry))
    const session = { id, kind, state: states[state], createdAt, answered, queue, ...others } as Session
    return { session, revision }
  }

  #readEntry(row: unknown[]): QueueEntry {
    const [program] = row
    if (typeof program === 'number') row[0] = this.#programs[program]
    return fromRow<QueueEntry>(row, entryColumns)
  }

  #numberOf(program: string): number | string {
    const known = this.#numbers.get(program)
    if (known !== undefined) return known
    const number = this.#programs.length
    if (number === mostShared) return program
    this.#numbers.set(program, number)
    this.#programs.push(program)
    return number
  }
}
