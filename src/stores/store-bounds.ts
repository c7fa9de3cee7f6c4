import type { InboxBounds, OutboxBounds } from './outgoing/outbox-store.ts'

/** How much a database may hold, of all processes together. */
export interface StoreBounds {
  /** How long a session lives after its last use. */
  readonly sessionTtlMs: number
  /** Of live sessions. */
  readonly maxSessions: number
  /** Of answers to requests with a key. */
  readonly maxAnswerBytes: number
  /** How long a result lives after its last change; undefined for ever. */
  readonly resultTtlMs: number | undefined
  readonly outbox: OutboxBounds
  readonly inbox: InboxBounds
}

/** How long each queue knows what is done. In an inbox, what was answered and what was set aside is known as long. */
export function queueBoundsOf({ outbox, inbox }: Pick<StoreBounds, 'outbox' | 'inbox'>) {
  const { maxEvents, knownMs } = inbox
  return { outbox, inbox: { maxEvents, deliveredMs: knownMs, setAsideMs: knownMs } }
}
