import { contentHash } from '../../definition/content-hash.ts'

interface RememberedKeysOptions {
  /** How many are remembered at least; never twice as many. */
  readonly least: number
  /** For how long at most; as long as others leave room unless given. */
  readonly expiry?: { readonly ttlMs: number; now(): number } | undefined
}

/**
 * Keys that were added lately, by hashes: they can be recognised, and not be named. Keeps two generations, as a map that loses
 * its first key again and again would take ever longer to find it.
 */
export class RememberedKeys {
  readonly #least: number
  readonly #ttlMs: number
  readonly #now: () => number
  #latest = new Map<string, number>()
  #earlier: ReadonlyMap<string, number> = new Map()

  constructor({ least, expiry }: RememberedKeysOptions) {
    this.#least = least
    this.#ttlMs = expiry?.ttlMs ?? Infinity
    this.#now = expiry?.now ?? (() => 0)
  }

  /** As of a moment of the clock; now unless told. */
  add(key: string, since = this.#now()): void {
    this.#latest.set(contentHash(key), since)
    if (this.#latest.size < this.#least) return
    this.#earlier = this.#latest
    this.#latest = new Map()
  }

  has(key: string): boolean {
    if (this.#latest.size + this.#earlier.size === 0) return false
    const hash = contentHash(key)
    const since = this.#latest.get(hash) ?? this.#earlier.get(hash)
    return since !== undefined && this.#now() - since <= this.#ttlMs
  }
}
