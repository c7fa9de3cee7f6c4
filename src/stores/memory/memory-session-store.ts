import type { SessionStore } from '../session-store.ts'
import type { StoreUsage } from '../store-usage.ts'
import { createKeyedQueue } from './keyed-queue.ts'
import { readSession, writeSession } from './session-codec.ts'
import { createTieredTextCache } from './tiered-text-cache.ts'

export interface MemorySessionStoreOptions {
  /** How long a session lives after its last use. */
  readonly ttlMs: number
  readonly maxSessions: number
  readonly maxBytes: number
  /** Turns that wait for one session, besides the one that runs. */
  readonly maxQueuedTurns: number
  /** Milliseconds since 1970. */
  now(): number
}

export interface MemorySessionStore extends SessionStore {
  usage(): StoreUsage
}

/** Keeps sessions as text in this process: what is accounted is what is held, and nothing is shared. */
export function createMemorySessionStore(options: MemorySessionStoreOptions): MemorySessionStore {
  const { ttlMs, maxSessions, maxBytes, maxQueuedTurns, now } = options
  const texts = createTieredTextCache({ maxBytes, maxEntries: maxSessions, expiry: { ttlMs, now } })
  return {
    async get(key) {
      const text = texts.get(key)
      return text === undefined ? undefined : readSession(text)
    },
    async save(key, session) {
      texts.set(key, writeSession(session))
    },
    async delete(key) {
      texts.delete(key)
    },
    usage: texts.usage,
    exclusive: createKeyedQueue(maxQueuedTurns),
    async close() {
      texts.clear()
    },
  }
}
