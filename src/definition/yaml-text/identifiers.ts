import { contentHash } from '../content-hash.ts'

/** Longest id that is made, and part of it that stays readable where it would be longer. */
const most = { whole: 120, readable: 100, part: 40 }

/** Words of a text as a part of an id: small letters and digits of any script, joined by hyphens. */
export function slug(text: string, { words = Number.POSITIVE_INFINITY, otherwise = 'x' } = {}): string {
  const found =
    text
      .slice(0, 400)
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  return found.slice(0, words).join('-').slice(0, most.part).replace(/-$/, '').toWellFormed() || otherwise
}

/** Ids of one kind: those that are written, and those that are made, no two of which are equal. */
export class IdBook {
  readonly #taken: Set<string>
  readonly #uses = new Map<string, number>()

  /** Ids that are written come first: none of them is given to something else. */
  constructor(written: Iterable<string>) {
    this.#taken = new Set(written)
  }

  /** The id for a place; the second that asks for it gets it with `-2`. */
  make(...parts: readonly string[]): string {
    const whole = parts.join('-')
    const wanted =
      whole.length > most.whole
        ? `${whole.slice(0, most.readable).toWellFormed()}-${contentHash(whole).slice(0, 12)}`
        : whole
    for (;;) {
      const uses = (this.#uses.get(wanted) ?? 0) + 1
      this.#uses.set(wanted, uses)
      const id = uses === 1 ? wanted : `${wanted}-${uses}`
      if (this.#taken.has(id)) continue
      this.#taken.add(id)
      return id
    }
  }
}

/** The words of a text by which its place is told apart. */
export const firstWords = (text: string, otherwise: string): string => slug(text, { words: 4, otherwise })
