const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

const bitsPerCharacter = 6

/** The bits of each character, by its code. */
const bitsOf = new Uint8Array(128)
for (const [bits, character] of [...alphabet].entries()) bitsOf[character.charCodeAt(0)] = bits

/** A set of places, by their indexes: as bits of bytes, in base64url. Most turns come through no new one, and decode nothing. */
export class Path {
  #written: string

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
    const length = Math.ceil(((index >> 3) + 1) * (8 / bitsPerCharacter))
    const written = this.#written.padEnd(length, alphabet[0])
    this.#written = written.slice(0, at) + alphabet[this.#bitsAt(at) | mask] + written.slice(at + 1)
  }

  /** The indexes of its places. */
  *[Symbol.iterator](): Generator<number> {
    const length = this.#written.length * bitsPerCharacter
    for (let index = 0; index < length; index++) if (this.has(index)) yield index
  }

  toString(): string {
    return this.#written
  }

  #bitsAt(at: number): number {
    return bitsOf[this.#written.charCodeAt(at)] ?? 0
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
