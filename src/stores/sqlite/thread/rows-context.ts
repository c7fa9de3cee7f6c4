import type { InboxBounds, OutboxBounds } from '../../outgoing/outbox-store.ts'
import type { Clock, Database } from './binding.ts'
import type { Marks } from './marks.ts'
import type { Tallies } from './tally.ts'

/** Shared by all rows. */
export interface RowsContext {
  readonly database: Database
  readonly clock: Clock
  readonly bounds: DiskBounds
  readonly tallies: Tallies
  readonly marks: Marks
}

export interface DiskBounds {
  /** How long a session lives after its last use. */
  readonly sessionTtlMs: number
  readonly maxSessions: number
  /** Of answers to requests with a key. */
  readonly maxAnswerBytes: number
  /** How long a result lives after its last change; undefined for ever. */
  readonly resultTtlMs: number | undefined
  readonly outbox: OutboxBounds
  readonly inbox: InboxBounds
}

/** How long erasures are remembered: sessions that could bring something back are renewed by their visitors. */
export const erasedMs = 366 * 24 * 60 * 60 * 1000
