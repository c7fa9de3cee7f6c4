const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

const bitsPerCharacter = 6

/** The bits of each character, by its code. */
const bitsOf = new Uint8Array(128)
for (const [bits, character] of [...alphabet].entries()) bitsOf[character.charCodeAt(0)] = bits

/** A set of places, by their indexes: as bits of bytes, in base64url. Most turns come through no new one, and decode nothing. */
export class Path {
  readonly #written: string
  /** The bits of each character, once a place was added. */
  #bits: number[] | undefined

  /** As `toString` wrote it; the empty path unless given. */
  constructor(written = '') {
    this.#written = written
  }

  has(index: number): boolean {
    const { at, mask } = bitOf(index)
    return (this.#bitsAt(at) & mask) !== 0
  }

  add(index: number): void {
    const { at, mask } = bitOf(index)
    this.#bits ??= [...this.#written].map((character) => bitsOf[character.charCodeAt(0)] ?? 0)
    const length = Math.ceil(((index >> 3) + 1) * (8 / bitsPerCharacter))
    while (this.#bits.length < length) this.#bits.push(0)
    this.#bits[at] = this.#bitsAt(at) | mask
  }

  /** The indexes of its places. */
  *[Symbol.iterator](): Generator<number> {
    const length = (this.#bits ?? this.#written).length * bitsPerCharacter
    for (let index = 0; index < length; index++) if (this.has(index)) yield index
  }

  toString(): string {
    if (!this.#bits) return this.#written
    let written = ''
    for (const bits of this.#bits) written += alphabet[bits]
    return written
  }

  #bitsAt(at: number): number {
    return (this.#bits ? this.#bits[at] : bitsOf[this.#written.charCodeAt(at)]) ?? 0
  }
}

/** Where a place is written: the index of a character, and its bit there. */
function bitOf(index: number): { readonly at: number; readonly mask: number } {
  // Bits of a byte are counted from its lowest on, characters take them from the highest.
  const bit = (index & ~7) + 7 - (index & 7)
  return { at: Math.floor(bit / bitsPerCharacter), mask: 32 >> (bit % bitsPerCharacter) }
}

/**
 * Where a written path tells whether it has a place: the index of a character, and those that it may be where it does. No other
 * function tells it in every database.
 */
export function characterOf(index: number): { readonly at: number; readonly oneOf: readonly string[] } {
  const { at, mask } = bitOf(index)
  const oneOf = [...alphabet].filter((_, value) => (value & mask) !== 0)
  return { at, oneOf }
}
