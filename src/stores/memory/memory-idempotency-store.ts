import type { IdempotencyStore } from '../idempotency-store.ts'
import { createBoundedTextCache } from './bounded-text-cache.ts'

export interface MemoryIdempotencyStoreOptions {
  /** Accounted bytes of all answers. The least recently used one goes first. */
  readonly maxBytes: number
  /** How long an answer is kept after it was last given. */
  readonly ttlMs: number
  /** Milliseconds since 1970. */
  now(): number
}

/**
 * Keeps answers as text in this process. An answer that exceeds the bound on its own is not kept: a request that
 * repeats its key is done again.
 *
 * Keys in flight are kept apart and never make room, as there are only as many as there are requests being answered.
 */
export function createMemoryIdempotencyStore(options: MemoryIdempotencyStoreOptions): IdempotencyStore {
  const { maxBytes, ttlMs, now } = options
  const running = new Map<string, string>()
  const answered = createBoundedTextCache({ maxBytes, expiry: { ttlMs, now } })
  return {
    async claim(key, fingerprint) {
      const other = { state: 'other request' } as const
      const inFlight = running.get(key)
      if (inFlight !== undefined) return inFlight === fingerprint ? { state: 'running' } : other
      const text = answered.get(key)
      if (text === undefined) {
        running.set(key, fingerprint)
        return { state: 'claimed' }
      }
      const head = headOf(fingerprint)
      return text.startsWith(head) ? { state: 'answered', answer: text.slice(head.length) } : other
    },
    async settle(key, answer) {
      const fingerprint = running.get(key)
      if (fingerprint === undefined) return
      running.delete(key)
      const text = headOf(fingerprint) + answer
      if (answered.fits(key, text)) answered.set(key, text)
    },
    async release(key) {
      running.delete(key)
    },
    usage: async () => answered.usage(),
  }
}

/** What stands before an answer. No such text begins another, so the answer is what comes behind it. */
const headOf = (fingerprint: string) => JSON.stringify(fingerprint)
