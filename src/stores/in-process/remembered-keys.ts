import { LRUCache } from 'lru-cache'
import { contentHash } from '../../definition/content-hash.ts'

interface RememberedKeysOptions {
  /** How many are remembered; the earliest makes room for one more. */
  readonly most: number
  /** For how long at most; as long as others leave room unless given. */
  readonly expiry?: { readonly ttlMs: number; now(): number } | undefined
}

/** Keys that were added lately, by hashes: they can be recognised, and not be named. */
export class RememberedKeys {
  readonly #hashes: LRUCache<string, true>

  constructor({ most, expiry }: RememberedKeysOptions) {
    const ttl = expiry && { ttl: expiry.ttlMs, perf: expiry, ttlResolution: 0 }
    // Its lists grow with what there is; by `max` they would be there at once.
    this.#hashes = new LRUCache({ maxSize: most, ...ttl })
  }

  /** As of a moment of the clock; now unless told. */
  add(key: string, since?: number): void {
    this.#hashes.set(contentHash(key), true, { size: 1, ...(since !== undefined && { start: since }) })
  }

  has(key: string): boolean {
    return this.#hashes.size > 0 && this.#hashes.has(contentHash(key))
  }
}
