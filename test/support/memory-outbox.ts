import { MemoryInbox } from '../../src/stores/memory/memory-inbox.ts'
import { MemoryOutbox } from '../../src/stores/memory/memory-outbox.ts'

/** Small enough to be reached. */
export const outboxBounds = { maxEvents: 10, deliveredMs: 60_000, setAsideMs: 90_000 }

export const inboxBounds = { maxWaiting: 6, maxOfLine: 5, maxEvents: 10, knownMs: 60_000 }

export const openMemoryInbox = (now: () => number = Date.now) =>
  new MemoryInbox({ ...inboxBounds, maxBytes: 64 * 1024 * 1024, now })

export const openMemoryOutbox = (now: () => number = Date.now, bounds = outboxBounds) =>
  new MemoryOutbox({ ...bounds, maxBytes: 64 * 1024 * 1024, now })
