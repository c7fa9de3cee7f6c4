import { contentHash } from '../../definition/content-hash.ts'

/** The sessions that were forgotten lately, by hashes of their ids: they can be recognised, and not be named. */
export interface GoneSessions {
  /** As of a moment; now unless told. */
  add(id: string, since?: number): void
  /** Whether it was forgotten not longer than a time to live ago, as far as that is remembered. */
  has(id: string): boolean
}

export interface GoneSessionsOptions {
  /** How many are remembered at least; never twice as many. */
  readonly least: number
  /** How long one is remembered at most. */
  readonly ttlMs: number
  /** Milliseconds since 1970. */
  now(): number
}

/** Keeps two generations, as a map that loses its first key again and again would take ever longer to find it. */
export function createGoneSessions({ least, ttlMs, now }: GoneSessionsOptions): GoneSessions {
  let latest = new Map<string, number>()
  let earlier: ReadonlyMap<string, number> = new Map()
  return {
    add(id, since = now()) {
      latest.set(contentHash(id), since)
      if (latest.size < least) return
      earlier = latest
      latest = new Map()
    },
    has(id) {
      const key = contentHash(id)
      const since = latest.get(key) ?? earlier.get(key)
      return since !== undefined && now() - since <= ttlMs
    },
  }
}
