import { LRUCache } from 'lru-cache'
import { contentHash } from '../../definition/content-hash.ts'

export interface RememberedKeysOptions {
  /** The latest so many are remembered. */
  readonly max: number
  /** For how long; as long as others leave room unless given. */
  readonly expiry?: { readonly ttlMs: number; now(): number } | undefined
}

/** Keys that were added lately, by hashes: they can be recognised, and not be named. */
export class RememberedKeys {
  readonly #options: RememberedKeysOptions
  #keys: LRUCache<string, true> | undefined

  constructor(options: RememberedKeysOptions) {
    this.#options = options
  }

  /** As of a moment of the clock; now unless told. */
  add(key: string, since?: number): void {
    const { max, expiry } = this.#options
    // Its lists are allocated at once, which most processes never need.
    this.#keys ??= new LRUCache({
      max,
      ...(expiry && { ttl: expiry.ttlMs, perf: expiry, ttlResolution: 0 }),
    })
    this.#keys.set(contentHash(key), true, since === undefined ? {} : { start: since })
  }

  has(key: string): boolean {
    return this.#keys?.has(contentHash(key)) ?? false
  }
}
