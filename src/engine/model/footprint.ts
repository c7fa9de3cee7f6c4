/**
 * Bytes that a compiled program has taken up since it was compiled: what it computes when a walk first needs it, and
 * keeps. The cache of programs reads it here, so nothing that lives as long as a program is kept without being added.
 */
export class Footprint {
  #bytes = 0
  #onGrowth: ((bytes: number) => void) | undefined

  get bytes(): number {
    return this.#bytes
  }

  /** Adds bytes that are kept from now on; a negative number for released ones. */
  add(bytes: number): void {
    this.#bytes += bytes
    this.#onGrowth?.(bytes)
  }

  /** Calls back with every later change, until the next call; the last caller wins. */
  onGrowth(callback: ((bytes: number) => void) | undefined): void {
    this.#onGrowth = callback
  }
}

/** An entry of a weak map, with its share of the free slots (Node 20: 32 to 64 bytes). */
const bytesPerEntry = 64

/** Values computed once for parts of a program, for as long as those live. */
interface Memo<Key extends object, Value> {
  get(key: Key): Value | undefined
  /** Values never change once they are set: `bytesOf` is asked here and not again. */
  set(key: Key, value: Value, footprint: Footprint | undefined): void
}

/** The only way to remember something beside a program: `bytesOf` is what a value takes, besides its entry. */
export function createMemo<Key extends object, Value>(bytesOf: (value: Value) => number): Memo<Key, Value> {
  const known = new WeakMap<Key, Value>()
  return {
    get: (key) => known.get(key),
    set(key, value, footprint) {
      if (!known.has(key)) footprint?.add(bytesPerEntry + bytesOf(value))
      known.set(key, value)
    },
  }
}
