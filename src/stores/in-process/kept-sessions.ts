import { revisionOf } from '../codec/conversation-codec.ts'
import type { DueSession, WebhookPayload } from '../conversation-store.ts'
import type { SessionRow } from '../conversations/conversation-table.ts'
import type { StoreUsage } from '../store-usage.ts'
import { DueTimes } from './due-times.ts'
import { bytesOfText, flatText } from './flat-text.ts'
import { RememberedKeys } from './remembered-keys.ts'
import { TieredCache } from './tiered-cache.ts'

export interface SessionBounds {
  /** How long a session lives after its last use. */
  readonly ttlMs: number
  /** Of live sessions, and of previews again. */
  readonly maxSessions: number
  /** Of live sessions. */
  readonly maxBytes: number
  readonly previewMaxBytes: number
}

interface KeptSessionsOptions extends SessionBounds {
  /** Milliseconds since 1970. */
  now(): number
}

/** The text alone of a session without a payload: nearly all are. */
type Entry = string | { readonly text: string; readonly payload: WebhookPayload }

/** Sessions of one kind, and when those are due that have something to do. */
interface KeptOfKind {
  readonly cache: TieredCache<Entry>
  readonly times: DueTimes
}

/** A session that is due, and since when. */
export interface DueRow extends DueSession {
  /** Milliseconds since 1970. */
  readonly due: number
}

/** The earliest of them. */
export const earliestOf = (rows: readonly DueRow[], limit: number): readonly DueSession[] =>
  rows
    .toSorted((one, other) => one.due - other.due)
    .slice(0, limit)
    .map(({ id, revision }) => ({ id, revision }))

/** How many sessions that are gone are remembered. */
const mostRemembered = 10_000

/** Bytes of a due time: its entries under the id and in its second. */
const bytesPerDueTime = 250

/** Bytes of a payload besides its text, as an object of its own. */
const bytesPerPayload = 100

/** Sessions of this process as text; previews have room of their own: however many strangers start, no live session makes room. */
export class KeptSessions {
  readonly #live: KeptOfKind
  readonly #previews: KeptOfKind
  readonly #ttlMs: number
  readonly #now: () => number
  readonly #gone: RememberedKeys

  constructor({ ttlMs, maxSessions, maxBytes, previewMaxBytes, now }: KeptSessionsOptions) {
    const expiry = { ttlMs, now }
    this.#gone = new RememberedKeys({ most: mostRemembered, expiry })
    const keep = (bytes: number): KeptOfKind => {
      const times = new DueTimes()
      const forgotten = (id: string) => {
        times.set(id, undefined)
        this.#gone.add(id)
      }
      return {
        times,
        cache: new TieredCache({ maxEntries: maxSessions, expiry, forgotten, maxBytes: bytes }),
      }
    }
    this.#live = keep(maxBytes)
    this.#previews = keep(previewMaxBytes)
    this.#ttlMs = ttlMs
    this.#now = now
  }

  /** A use of it. */
  find(kind: SessionRow['kind'], id: string): SessionRow | undefined {
    const entry = this.#of(kind).cache.get(id)
    if (entry === undefined) return undefined
    return typeof entry === 'string' ? { kind, text: entry, payload: undefined } : { kind, ...entry }
  }

  /**
   * Keeps a session that has something to do after so many milliseconds, or never; it lives for its time from then on. Throws
   * PAYLOAD_TOO_LARGE, and leaves everything as it was, for one that exceeds the bound on its own.
   */
  put(id: string, row: SessionRow, dueIn?: number): void {
    const { kind, text, payload } = row
    const { cache, times } = this.#of(kind)
    const bytes = bytesOfText(text)
    const flat = flatText(text, bytes)
    const size = bytes + sizeOf(payload) + (dueIn === undefined ? 0 : bytesPerDueTime)
    cache.set(id, payload ? { text: flat, payload } : flat, size, this.#ttlMs + (dueIn ?? 0))
    times.set(id, dueIn === undefined ? undefined : this.#now() + dueIn)
  }

  /** Puts a payload beside a session, whose due time stays. */
  putPayload(id: string, row: SessionRow): void {
    const due = this.#live.times.get(id)
    this.put(id, row, due === undefined ? undefined : Math.max(0, due - this.#now()))
  }

  /** Sessions whose due time has come. */
  due(limit: number, isFree: (id: string) => boolean): DueRow[] {
    const now = this.#now()
    const found: DueRow[] = []
    for (const { cache, times } of [this.#live, this.#previews]) {
      let left = limit
      for (const [id, due] of times.by(now)) {
        const entry = isFree(id) ? cache.peek(id) : undefined
        if (entry === undefined) continue
        found.push({ id, due, revision: revisionOf(typeof entry === 'string' ? entry : entry.text) })
        left -= 1
        if (left === 0) break
      }
    }
    return found
  }

  /** Throws as `put` does. */
  check(id: string, { kind, text, payload }: SessionRow): void {
    this.#of(kind).cache.check(id, bytesOfText(text) + sizeOf(payload))
  }

  /** Whether the time of one has passed, or it has made room for others, a time to live ago at most. */
  hasForgotten(id: string): boolean {
    return this.#gone.has(id)
  }

  delete(kind: SessionRow['kind'], id: string): void {
    const { cache, times } = this.#of(kind)
    cache.delete(id)
    times.set(id, undefined)
  }

  usage(kind: SessionRow['kind']): StoreUsage {
    return this.#of(kind).cache.usage()
  }

  #of(kind: SessionRow['kind']): KeptOfKind {
    return kind === 'live' ? this.#live : this.#previews
  }
}

function sizeOf(payload: WebhookPayload | undefined): number {
  return payload ? bytesOfText(payload.text) + bytesPerPayload : 0
}
