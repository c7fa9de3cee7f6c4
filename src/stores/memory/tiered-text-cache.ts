import { type BoundedTextCache, createBoundedTextCache, type TextCacheBounds } from './bounded-text-cache.ts'

/** What a cache of sessions is used for. */
export type TieredTextCache = Pick<BoundedTextCache, 'get' | 'peek' | 'set' | 'delete' | 'clear' | 'usage'>

/** The part of all room that belongs to keys which were written once, however many were written again. */
const firstTierShare = 1 / 8

/**
 * Texts in memory within bounds, in two tiers: a key that was written again makes room after all that were written once.
 * Starting sessions costs nothing, so that a flood of starts pushes out other starts, and not the conversations of
 * those who answered. An eighth of the room stays with the first tier, so that somebody new can always start; what has
 * expired goes before anything else.
 */
export function createTieredTextCache(
  bounds: Required<Pick<TextCacheBounds, 'maxBytes' | 'maxEntries' | 'expiry'>> &
    Pick<TextCacheBounds, 'forgotten'>,
): TieredTextCache {
  const { maxBytes, maxEntries, expiry, forgotten } = bounds
  const common = { maxBytes, expiry, ...(forgotten && { forgotten }) }
  const once = createBoundedTextCache(common)
  const again = createBoundedTextCache(common)

  function isOver(share: number, { entries, bytes }: { entries: number; bytes: number }): boolean {
    return bytes > share * maxBytes || entries > share * maxEntries
  }

  function usage() {
    const [first, second] = [once.usage(), again.usage()]
    return {
      entries: first.entries + second.entries,
      bytes: first.bytes + second.bytes,
      evicted: first.evicted + second.evicted,
    }
  }

  function makeRoom(): void {
    while (isOver(1, usage())) {
      const oldest = again.oldest()
      const first = once.usage()
      if (oldest?.isExpired) {
        again.delete(oldest.key)
        forgotten?.(oldest.key)
      } else if (!oldest || (first.entries > 1 && isOver(firstTierShare, first))) once.evictOldest()
      else again.evictOldest()
    }
  }

  return {
    get: (key) => again.get(key) ?? once.get(key),
    peek: (key) => again.peek(key) ?? once.peek(key),
    set(key, text) {
      if (again.peek(key) !== undefined) again.set(key, text)
      else if (once.peek(key) !== undefined) {
        again.set(key, text)
        once.delete(key)
      } else {
        again.delete(key)
        once.set(key, text)
      }
      makeRoom()
    },
    delete(key) {
      once.delete(key)
      again.delete(key)
    },
    clear() {
      once.clear()
      again.clear()
    },
    usage,
  }
}
