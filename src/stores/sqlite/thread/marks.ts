import { hash } from 'node:crypto'
import { type Clock, type Database, prepareAll } from './binding.ts'

type Mark = 'session' | 'expired' | 'result' | 'report' | 'answer'

/** The memory of something that is gone: a hash, as an erased id is still a secret. */
export class Marks {
  readonly #statements
  readonly #clock: Clock

  constructor(database: Database, clock: Clock) {
    this.#clock = clock
    this.#statements = prepareAll(database, {
      insert: 'INSERT OR REPLACE INTO marks (name, expires) VALUES (?, ?)',
      select: 'SELECT expires FROM marks WHERE name = ?',
    })
  }

  add(kind: Mark, parts: readonly string[], expires: number): void {
    this.#statements.insert.run(markName(kind, parts), expires)
  }

  has(kind: Mark, parts: readonly string[]): boolean {
    return this.#statements.select.get(markName(kind, parts)) !== undefined
  }

  /** Whether there is one that has not expired. */
  isCurrent(kind: Mark, parts: readonly string[]): boolean {
    const mark = this.#statements.select.get<{ expires: number }>(markName(kind, parts))
    return mark !== undefined && mark.expires >= this.#clock.now
  }
}

/** By which a statement finds a mark itself. */
export function markName(kind: Mark, parts: readonly string[]): Uint8Array {
  // As a text it takes a quarter of the time.
  const digest = hash('sha256', JSON.stringify([kind, ...parts]), 'base64')
  return Buffer.from(digest, 'base64').subarray(0, 16)
}
