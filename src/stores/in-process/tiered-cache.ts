import type { StoreUsage } from '../store-usage.ts'
import { BoundedCache, type CacheBounds, joinedUsage } from './bounded-cache.ts'

type TieredBounds<V> = Required<Pick<CacheBounds<V>, 'maxBytes' | 'maxEntries' | 'expiry'>> &
  Pick<CacheBounds<V>, 'forgotten'>

/** The part of all room that belongs to keys which were written once, however many were written again. */
const firstTierShare = 1 / 8

/**
 * Values in memory within bounds, in two tiers: a key that was written again makes room after all that were written once.
 * Starting sessions costs nothing, so that a flood of starts pushes out other starts, and not the conversations of
 * those who answered. An eighth of the room stays with the first tier, so that somebody new can always start; what has
 * expired goes before anything else.
 */
export class TieredCache<V extends {}> {
  readonly #bounds: TieredBounds<V>
  readonly #once: BoundedCache<V>
  readonly #again: BoundedCache<V>

  constructor(bounds: TieredBounds<V>) {
    const { maxBytes, expiry, forgotten } = bounds
    this.#bounds = bounds
    this.#once = new BoundedCache({ maxBytes, expiry, ...(forgotten && { forgotten }) })
    this.#again = new BoundedCache({ maxBytes, expiry, ...(forgotten && { forgotten }) })
  }

  /** The value, which then counts as used. */
  get(key: string): V | undefined {
    return this.#again.get(key) ?? this.#once.get(key)
  }

  /** The value; nothing counts as used. */
  peek(key: string): V | undefined {
    return this.#again.peek(key) ?? this.#once.peek(key)
  }

  /** Throws as `check` does. */
  set(key: string, value: V, bytes: number, ttlMs?: number): void {
    if (this.#again.peek(key) !== undefined) this.#again.set(key, value, bytes, ttlMs)
    else if (this.#once.peek(key) !== undefined) {
      this.#again.set(key, value, bytes, ttlMs)
      this.#once.delete(key)
    } else {
      this.#again.delete(key)
      this.#once.set(key, value, bytes, ttlMs)
    }
    this.#makeRoom()
  }

  /** Throws PAYLOAD_TOO_LARGE for a value that exceeds the bound on its own. */
  check(key: string, bytes: number): void {
    this.#once.check(key, bytes)
  }

  delete(key: string): void {
    this.#once.delete(key)
    this.#again.delete(key)
  }

  usage(): StoreUsage {
    return joinedUsage(this.#once.usage(), this.#again.usage())
  }

  #makeRoom(): void {
    while (this.#isOver(1, this.usage())) {
      const oldest = this.#again.oldest()
      const first = this.#once.usage()
      // Reading what has expired removes it.
      if (oldest?.isExpired) this.#again.get(oldest.key)
      else if (!oldest || (first.entries > 1 && this.#isOver(firstTierShare, first))) this.#once.evictOldest()
      else this.#again.evictOldest()
    }
  }

  #isOver(share: number, { entries, bytes }: StoreUsage): boolean {
    return bytes > share * this.#bounds.maxBytes || entries > share * this.#bounds.maxEntries
  }
}
