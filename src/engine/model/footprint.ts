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

/** Values computed once for parts of a program, for as long as those live: the only way to remember something beside one. */
export class Memo<Key extends object, Value> extends WeakMap<Key, Value> {
  readonly #bytesOf: (value: Value) => number

  /** `bytesOf` is what a value takes, besides its entry. */
  constructor(bytesOf: (value: Value) => number) {
    super()
    this.#bytesOf = bytesOf
  }

  /** Values never change once they are kept: their bytes are asked for here and not again. */
  keep(key: Key, value: Value, footprint: Footprint | undefined): void {
    if (!this.has(key)) footprint?.add(bytesPerEntry + this.#bytesOf(value))
    this.set(key, value)
  }
}
