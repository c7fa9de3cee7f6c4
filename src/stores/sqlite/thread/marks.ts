import { hash } from 'node:crypto'
import type { Database } from './binding.ts'

type Mark = 'session' | 'expired' | 'result' | 'report' | 'answer'

/** The memory of something that is gone: a hash, as an erased id is still a secret. */
export interface Marks {
  add(kind: Mark, parts: readonly string[], expires: number): void
  has(kind: Mark, parts: readonly string[]): boolean
  /** Whether there is one that has not expired. */
  isCurrent(kind: Mark, parts: readonly string[], now: number): boolean
  /** By which a statement finds one itself. */
  nameOf(kind: Mark, parts: readonly string[]): Uint8Array
}

export function createMarks(database: Database): Marks {
  const insert = database.prepare('INSERT OR REPLACE INTO marks (name, expires) VALUES (?, ?)')
  const select = database.prepare('SELECT expires FROM marks WHERE name = ?')
  return {
    add: (kind, parts, expires) => void insert.run(nameOf(kind, parts), expires),
    has: (kind, parts) => select.get(nameOf(kind, parts)) !== undefined,
    isCurrent(kind, parts, now) {
      const mark = select.get(nameOf(kind, parts)) as { expires: number } | undefined
      return mark !== undefined && mark.expires >= now
    },
    nameOf,
  }
}

function nameOf(kind: string, parts: readonly string[]): Uint8Array {
  // As a text it takes a quarter of the time.
  const digest = hash('sha256', JSON.stringify([kind, ...parts]), 'base64')
  return Buffer.from(digest, 'base64').subarray(0, 16)
}
