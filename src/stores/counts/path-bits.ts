/** A set of places, by their indexes. */
export class Path {
  #bits: Buffer

  /** As `toString` wrote it; the empty path unless given. */
  constructor(written = '') {
    this.#bits = Buffer.from(written, 'base64url')
  }

  has(index: number): boolean {
    return ((this.#bits[index >> 3] ?? 0) & (1 << (index & 7))) !== 0
  }

  add(index: number): void {
    const byte = index >> 3
    if (byte >= this.#bits.length)
      this.#bits = Buffer.concat([this.#bits, Buffer.alloc(byte + 1 - this.#bits.length)])
    this.#bits[byte] = (this.#bits[byte] ?? 0) | (1 << (index & 7))
  }

  /** The indexes of its places. */
  *[Symbol.iterator](): Generator<number> {
    for (let index = 0; index < this.#bits.length * 8; index++) if (this.has(index)) yield index
  }

  toString(): string {
    return this.#bits.toString('base64url')
  }
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

const bitsPerCharacter = 6

/**
 * Where a written path tells whether it has a place: the index of a character, and those that it may be where it does. No other
 * function tells it in every database.
 */
export function characterOf(index: number): { readonly at: number; readonly oneOf: readonly string[] } {
  // Bits of a byte are counted from its lowest on, characters take them from the highest.
  const bit = (index & ~7) + 7 - (index & 7)
  const mask = 1 << (bitsPerCharacter - 1 - (bit % bitsPerCharacter))
  const oneOf = [...alphabet].filter((_, value) => (value & mask) !== 0)
  return { at: Math.floor(bit / bitsPerCharacter), oneOf }
}
