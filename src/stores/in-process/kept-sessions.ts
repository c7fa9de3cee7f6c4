import type { WebhookPayload } from '../conversation-store.ts'
import type { SessionRow } from '../conversations/conversation-table.ts'
import type { StoreUsage } from '../store-usage.ts'
import { bytesOfText, flatText } from './flat-text.ts'
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
  /** Called with the id of a session whose time has passed, or that made room for others. */
  forgotten(id: string): void
}

/** The text alone of a session without a payload: nearly all are. */
type Entry = string | { readonly text: string; readonly payload: WebhookPayload }

/** Bytes of a payload besides its text, as an object of its own. */
const bytesPerPayload = 100

/** Sessions of this process as text; previews have room of their own: however many strangers start, no live session makes room. */
export class KeptSessions {
  readonly #live: TieredCache<Entry>
  readonly #previews: TieredCache<Entry>

  constructor({ ttlMs, maxSessions, maxBytes, previewMaxBytes, now, forgotten }: KeptSessionsOptions) {
    const common = { maxEntries: maxSessions, expiry: { ttlMs, now }, forgotten }
    this.#live = new TieredCache({ ...common, maxBytes })
    this.#previews = new TieredCache({ ...common, maxBytes: previewMaxBytes })
  }

  /** A use of it. */
  find(kind: SessionRow['kind'], id: string): SessionRow | undefined {
    const entry = this.#of(kind).get(id)
    if (entry === undefined) return undefined
    return typeof entry === 'string' ? { kind, text: entry, payload: undefined } : { kind, ...entry }
  }

  /** Throws PAYLOAD_TOO_LARGE, and leaves everything as it was, for a session that exceeds the bound on its own. */
  put(id: string, { kind, text, payload }: SessionRow): void {
    const bytes = bytesOfText(text)
    const flat = flatText(text, bytes)
    this.#of(kind).set(id, payload ? { text: flat, payload } : flat, bytes + sizeOf(payload))
  }

  /** Throws as `put` does. */
  check(id: string, { kind, text, payload }: SessionRow): void {
    this.#of(kind).check(id, bytesOfText(text) + sizeOf(payload))
  }

  delete(kind: SessionRow['kind'], id: string): void {
    this.#of(kind).delete(id)
  }

  usage(kind: SessionRow['kind']): StoreUsage {
    return this.#of(kind).usage()
  }

  #of(kind: SessionRow['kind']): TieredCache<Entry> {
    return kind === 'live' ? this.#live : this.#previews
  }
}

function sizeOf(payload: WebhookPayload | undefined): number {
  return payload ? bytesOfText(payload.text) + bytesPerPayload : 0
}
