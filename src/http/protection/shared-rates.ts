import { LRUCache } from 'lru-cache'

/** Counts of requests by a name that the processes of a service keep together. */
export interface SharedCounts {
  /**
   * Adds to counts, each of which begins anew `windowMs` milliseconds after its first request, and gives the sums of all
   * processes by name, with the time that is left of them. Rejects where that is not possible now.
   */
  add(counts: ReadonlyMap<string, number>, windowMs: number): Promise<ReadonlyMap<string, SharedCount>>
}

interface SharedCount {
  readonly count: number
  readonly ttlMs: number
}

interface Count {
  /** The sum of all processes when they were last asked. */
  told: number
  /** Requests of this process that the others have not been told of. */
  untold: number
  /** By the clock that only goes forward. */
  endsAt: number
  /** Whether the others are told of the requests. */
  isShared: boolean
}

/** How long the others are not told of a request at most, in milliseconds. */
const shareMs = 250

/** The part of its limit that an address may use at each process before the others are told. Most never do. */
const quietShare = 1 / 20

/** Names of one statement. */
const mostNames = 1000

type Done = (error: Error | null, state: { readonly current: number; readonly ttl: number }) => void

/**
 * Store of `@fastify/rate-limit` that counts at once by itself, and tells other processes of many counts together, a little
 * later. While they can't be told, each process goes by its own count.
 */
export class SharedRates {
  readonly #shared: SharedCounts
  readonly #counts: LRUCache<string, Count>
  readonly #prefix: string
  readonly #toTell = new Map<string, Count>()
  #isTelling = false

  constructor(shared: SharedCounts, maxNames: number, prefix = '') {
    this.#shared = shared
    this.#counts = new LRUCache({ max: maxNames })
    this.#prefix = prefix
  }

  /** Counts a request, for a limiter. */
  incr(name: string, done: Done, windowMs: number, max: number): void {
    const count = this.#find(name) ?? this.#begin(name, windowMs)
    count.untold += 1
    if (count.untold > max * quietShare) count.isShared = true
    // Of an address that is refused, the others need not hear more.
    if (count.isShared && count.told <= max) this.#tellLater(name, count, windowMs)
    done(null, stateOf(count))
  }

  /** Says what was counted, for a limiter. */
  read(name: string, done: Done): void {
    const count = this.#find(name)
    done(null, count ? stateOf(count) : { current: 0, ttl: 0 })
  }

  /** A store of wrong tokens, the only ones that are counted apart. */
  child(): SharedRates {
    return new SharedRates(this.#shared, this.#counts.max, 'wrong tokens ')
  }

  #find(name: string): Count | undefined {
    const count = this.#counts.get(name)
    return count && count.endsAt > performance.now() ? count : undefined
  }

  #begin(name: string, windowMs: number): Count {
    const count = { told: 0, untold: 0, endsAt: performance.now() + windowMs, isShared: false }
    this.#counts.set(name, count)
    return count
  }

  #tellLater(name: string, count: Count, windowMs: number): void {
    this.#toTell.set(name, count)
    if (this.#isTelling) return
    this.#isTelling = true
    setTimeout(() => void this.#tell(windowMs), shareMs).unref()
  }

  async #tell(windowMs: number): Promise<void> {
    const telling = [...this.#toTell].slice(0, mostNames)
    for (const [name] of telling) this.#toTell.delete(name)
    const sent = new Map(telling.map(([name, { untold }]) => [this.#prefix + name, untold]))
    const sums = await this.#shared.add(sent, windowMs).catch(() => undefined)
    for (const [name, count] of telling) {
      const sum = sums?.get(this.#prefix + name)
      if (!sum) {
        this.#toTell.set(name, this.#toTell.get(name) ?? count)
        continue
      }
      count.told = sum.count
      count.untold -= sent.get(this.#prefix + name) ?? 0
      count.endsAt = performance.now() + sum.ttlMs
    }
    this.#isTelling = false
    const now = performance.now()
    for (const [name, { endsAt }] of this.#toTell) if (endsAt <= now) this.#toTell.delete(name)
    const [next] = this.#toTell
    if (next) this.#tellLater(...next, windowMs)
  }
}

function stateOf({ told, untold, endsAt }: Count) {
  return { current: told + untold, ttl: endsAt - performance.now() }
}
