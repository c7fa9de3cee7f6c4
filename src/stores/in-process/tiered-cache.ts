import type { StoreUsage } from '../store-usage.ts'
import { BoundedCache, type CacheBounds } from './bounded-cache.ts'
import { TextPool } from './text-pool.ts'

type TieredBounds = Required<Pick<CacheBounds<number>, 'maxBytes' | 'maxEntries' | 'expiry'>> & {
  /** Called for every key whose time has passed, or that makes room for others. */
  forgotten?(key: string): void
}

/** The part of all room that belongs to keys which were written once, however many were written again. */
const firstTierShare = 1 / 8

/**
 * Texts in memory within bounds, in two tiers: a key that was written again makes room after all that were written once.
 * Starting sessions costs nothing, so that a flood of starts pushes out other starts, and not the conversations of
 * those who answered. An eighth of the room stays with the first tier, so that somebody new can always start; what has
 * expired goes before anything else.
 */
export class TieredCache {
  readonly #bounds: TieredBounds
  readonly #texts = new TextPool()
  /** Handles of the texts. */
  readonly #once: BoundedCache<number>
  readonly #again: BoundedCache<number>
  /** Whether a text goes from one tier to the other. */
  #isMoving = false

  constructor(bounds: TieredBounds) {
    const { maxBytes, expiry, forgotten } = bounds
    const gone = (_: string, handle: number) => {
      if (!this.#isMoving) this.#texts.free(handle)
    }
    this.#bounds = bounds
    this.#once = new BoundedCache({ maxBytes, expiry, gone, ...(forgotten && { forgotten }) })
    this.#again = new BoundedCache({ maxBytes, expiry, gone, ...(forgotten && { forgotten }) })
  }

  /** The text, which then counts as used. */
  get(key: string): string | undefined {
    return this.#textOf(this.#again.get(key) ?? this.#once.get(key))
  }

  /** The text; nothing counts as used. */
  peek(key: string): string | undefined {
    return this.#textOf(this.#again.peek(key) ?? this.#once.peek(key))
  }

  /** Throws as `check` does. */
  set(key: string, text: string, bytes: number, ttlMs?: number): void {
    this.check(key, bytes)
    const again = this.#again.peek(key)
    const once = this.#once.peek(key)
    const handle = again ?? once
    if (handle === undefined) {
      this.delete(key)
      this.#once.set(key, this.#texts.add(text), bytes, ttlMs)
    } else {
      this.#texts.set(handle, text)
      if (again === undefined) this.#again.delete(key)
      this.#again.set(key, handle, bytes, ttlMs)
    }
    if (once !== undefined) this.#leaveFirst(key)
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
    const [first, second] = [this.#once.usage(), this.#again.usage()]
    return {
      entries: first.entries + second.entries,
      bytes: first.bytes + second.bytes,
      evicted: first.evicted + second.evicted,
    }
  }

  #textOf(handle: number | undefined): string | undefined {
    return handle === undefined ? undefined : this.#texts.get(handle)
  }

  #leaveFirst(key: string): void {
    this.#isMoving = true
    this.#once.delete(key)
    this.#isMoving = false
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
