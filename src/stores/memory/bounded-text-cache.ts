import { LRUCache } from 'lru-cache'
import { ServiceError } from '../../lib/errors.ts'
import type { StoreUsage } from '../store-usage.ts'

export interface TextCacheBounds {
  /** Accounted bytes of everything held. */
  readonly maxBytes: number
  readonly maxEntries?: number
  /** Reading and writing an entry renew it; writing alone where that is fixed. */
  readonly expiry?: { readonly ttlMs: number; now(): number; readonly isFixed?: boolean }
  /** Texts are handed in as they were read, in one piece: they are kept without a copy. */
  readonly areFlat?: boolean
  /** The caller makes room by itself after each write, of an order of its own. */
  readonly isTrimmed?: boolean
  /** What the caller holds besides, for each entry. */
  readonly extraBytesPerEntry?: number
  /** Called for every key that is removed, by eviction or by a call; not when a text is replaced. */
  gone?(key: string): void
  /** Called for every key whose time has passed, or that makes room for others. */
  forgotten?(key: string): void
}

/** Texts in memory, within bounds: the least recently used is evicted. */
export interface BoundedTextCache {
  /** The text, which then counts as used. */
  get(key: string): string | undefined
  /** The text; nothing counts as used. */
  peek(key: string): string | undefined
  /** Throws PAYLOAD_TOO_LARGE, and leaves everything as it was, for a text that exceeds the bound on its own. */
  set(key: string, text: string): void
  /**
   * Puts a text behind what the key holds, at a cost that does not grow with that. False, with everything as it
   * was, when it does not fit or the key holds nothing.
   */
  append(key: string, text: string): boolean
  /** Throws when `set` would. */
  check(key: string, text: string): void
  /** The accounted bytes of what a key holds. */
  bytesOf(key: string): number
  /** Whether `set` would take the text. */
  fits(key: string, text: string): boolean
  delete(key: string): void
  /** The least recently used key, and whether its time has passed; undefined when there is none. */
  oldest(): { readonly key: string; readonly isExpired: boolean } | undefined
  /** Lets the least recently used entry make room, as if others needed it. */
  evictOldest(): void
  clear(): void
  usage(): StoreUsage
}

/**
 * What an entry takes besides its characters: two string headers, a slot in the hash table, and one in each list of
 * lru-cache. Measured on Node 20.20 over 50,000 to 400,000 entries: 142 to 155 bytes with a time to live, 124 to
 * 135 without.
 */
const bytesPerEntry = 150

/** What it takes to join two texts without a copy: the joint, and the header of the second. */
const bytesPerJoint = 48

/** What has expired is found by its place in the order, and by its key no more. */
const unexpired = { allowStale: false } as const

/**
 * lru-cache is given no `max`: it would allocate its lists for that many entries at once (52 MB for a million, held
 * by an idle process), where lists that grow cost 70 bytes more for an entry that exists. The number of entries is
 * kept by `pop` instead.
 *
 * `ttlResolution: 0` reads the clock each time; any other value keeps a time by timers of its own, beside `now`.
 */
export function createBoundedTextCache(bounds: TextCacheBounds): BoundedTextCache {
  const { maxBytes, maxEntries, expiry, areFlat = false, extraBytesPerEntry = 0, gone, forgotten } = bounds
  const { isTrimmed = false } = bounds
  const sizeOf = (key: string, text: string) =>
    bytesOf(key) + bytesOf(text) + bytesPerEntry + extraBytesPerEntry
  const check = (key: string, text: string) => {
    const size = sizeOf(key, text)
    if (size > maxBytes) throw tooLarge(size, maxBytes)
    return size
  }
  let evicted = 0
  const cache = new LRUCache<string, string>({
    // One write, of at most all that there is, stands beside what is full until room is made.
    maxSize: isTrimmed ? 2 * maxBytes : maxBytes,
    allowStale: true,
    ...(expiry && { ttl: expiry.ttlMs, perf: expiry, ttlResolution: 0, updateAgeOnGet: !expiry.isFixed }),
    dispose(_text, key, reason) {
      if (reason === 'evict') evicted += 1
      if (reason === 'evict' || reason === 'expire') forgotten?.(key)
      if (reason !== 'set') gone?.(key)
    },
  })
  return {
    get: (key) => cache.get(key, unexpired),
    peek: (key) => cache.peek(key, unexpired),
    set(key, text) {
      const size = check(key, text)
      // A key that is held already stays the text that it is.
      cache.set(cache.has(key) ? key : flat(key), areFlat ? text : flat(text), { size })
      if (maxEntries !== undefined && cache.size > maxEntries) cache.pop()
    },
    append(key, text) {
      const held = cache.info(key)
      const size = (held?.size ?? Infinity) + bytesOf(text) + bytesPerJoint
      if (!held || size > maxBytes) return false
      cache.set(key, held.value + flat(text), { size })
      return true
    },
    check: (key, text) => void check(key, text),
    bytesOf: (key) => cache.info(key)?.size ?? 0,
    fits: (key, text) => sizeOf(key, text) <= maxBytes,
    delete: (key) => void cache.delete(key),
    oldest() {
      const key = cache.rkeys().next().value
      return key === undefined ? undefined : { key, isExpired: cache.getRemainingTTL(key) < 0 }
    },
    evictOldest: () => void cache.pop(),
    clear: () => cache.clear(),
    usage: () => ({ entries: cache.size, bytes: cache.calculatedSize, evicted }),
  }
}

const beyondLatin1 = /[^\0-\xff]/

/** Bytes of the characters in memory: one each, or two each as soon as one needs two. */
function bytesOf(text: string): number {
  // Most texts are ASCII, which is known soonest.
  const isLatin1 = Buffer.byteLength(text) === text.length || !beyondLatin1.test(text)
  return isLatin1 ? text.length : text.length * 2
}

const scratch = Buffer.allocUnsafeSlow(64 * 1024)

/**
 * Copies a text so that it takes the memory it is accounted for. A text that was put together, or cut out of
 * another, keeps its parts or the whole other alive, and may take two bytes a character where one would do.
 */
function flat(text: string): string {
  const bytes = bytesOf(text)
  const encoding = bytes === text.length ? 'latin1' : 'utf16le'
  const room = bytes <= scratch.length ? scratch : Buffer.allocUnsafeSlow(bytes)
  room.write(text, encoding)
  return room.toString(encoding, 0, bytes)
}

function tooLarge(size: number, maxBytes: number): ServiceError {
  return new ServiceError(
    'PAYLOAD_TOO_LARGE',
    `What this leaves to keep takes ${size} bytes, more than the ${maxBytes} that there are for all of its kind`,
  )
}
