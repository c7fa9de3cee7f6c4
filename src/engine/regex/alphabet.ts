import { type CaseTable, caseTableOf } from './case-folding.ts'
import {
  type CharacterRange,
  type CharacterSet,
  hasCharacter,
  isAmong,
  withoutLineFeed,
} from './character-set.ts'

const lineEnd = /[\n\r\u2028\u2029]/g
const lineEndsInOrder = '\n\r\u2028\u2029'

/** Flags of a pattern that change its characters. */
interface AlphabetFlags {
  readonly isUnicode: boolean
  readonly ignoresCase: boolean
  /** Whether the pattern asks for the starts and ends of lines. */
  readonly hasLines: boolean
}

const surrogates = { first: 0xd800, last: 0xdfff, moved: 0x10_0000 }

/**
 * Rewrites texts and sets of characters alike, so that RE2 finds in the one what JavaScript finds in the other:
 *
 * - Letters that differ in case only become one. RE2 folds the case by other rules.
 * - Without the flag `u` both halves of an emoji are characters: they are moved to where RE2 takes them for some.
 * - Where lines matter, each line end becomes a line feed, a digit that says which it was, and a line feed again.
 */
export class Alphabet {
  readonly #flags: AlphabetFlags
  readonly #cases: CaseTable
  readonly #casesByName = new Map<string, ReadonlySet<number>>()

  constructor(flags: AlphabetFlags) {
    this.#flags = flags
    this.#cases = flags.ignoresCase ? caseTableOf(flags.isUnicode) : new Map()
  }

  get lastCharacter(): number {
    return this.#flags.isUnicode ? 0x10_ffff : 0xffff
  }

  /** Prefix of a search: in the middle of a line end there is nothing to find. */
  get prefix(): string {
    return this.#flags.hasLines ? '\\A(?:\\n[0-3]\\n|[^\\n])*?' : ''
  }

  encode(text: string): string {
    const { isUnicode, ignoresCase, hasLines } = this.#flags
    let encoded = text
    if (ignoresCase)
      encoded = encoded.replace(isUnicode ? /[a-z]|[^\0-\x7f]/gu : /[a-z]|[^\0-\x7f]/g, this.#fold)
    if (!isUnicode) encoded = encoded.replace(/[\uD800-\uDFFF]/g, moveSurrogate)
    if (hasLines) encoded = encoded.replace(lineEnd, (end) => `\n${lineEndsInOrder.indexOf(end)}\n`)
    return encoded
  }

  /** A set as RE2 writes it, and about how many instructions it takes. */
  write(set: CharacterSet): { readonly source: string; readonly size: number } {
    const closed = { ...set, ranges: [...set.ranges, ...this.#casesOf(set)] }
    const size = 1 + instructionsPerProperty * set.properties.length + Math.floor(closed.ranges.length / 16)
    if (!this.#flags.hasLines) return { source: this.#classOf(closed), size }
    return { source: this.#alternativesOf(closed), size: size + instructionsPerLineEnd }
  }

  #fold = (letter: string): string => {
    const standIn = this.#cases.get(letter.codePointAt(0) ?? 0)
    return standIn === undefined ? letter : String.fromCodePoint(standIn)
  }

  /** The letters that stand for those of a set; where the set lacks them, a text holds them all the same. */
  #casesOf({ ranges, properties }: CharacterSet): CharacterRange[] {
    if (this.#cases.size === 0) return []
    const missing = new Set<number>()
    const addCases = (name: string, has: (code: number) => boolean) => {
      for (const standIn of this.#casesAmong(name, has)) if (!isAmong(standIn, ranges)) missing.add(standIn)
    }
    for (const range of ranges) addCases(range.join('-'), (code) => isAmong(code, [range]))
    for (const { source, has } of properties) addCases(source, (code) => has(String.fromCodePoint(code)))
    return [...missing].map((code) => [code, code])
  }

  /** Remembered by name: the classes of a pattern may have much in common. */
  #casesAmong(name: string, has: (code: number) => boolean): ReadonlySet<number> {
    const known = this.#casesByName.get(name)
    if (known) return known
    const found = new Set<number>()
    for (const [code, standIn] of this.#cases) if (has(code)) found.add(standIn)
    this.#casesByName.set(name, found)
    return found
  }

  #classOf({ ranges, properties, isNegated }: CharacterSet): string {
    const content = this.#rangesOf(ranges) + properties.map(({ source }) => source).join('')
    if (content === '') return isNegated ? '[\\x{0}-\\x{10FFFF}]' : '[^\\x{0}-\\x{10FFFF}]'
    return isNegated ? `[^${content}]` : `[${content}]`
  }

  /** A class that takes whole line ends, and never a part of one. */
  #alternativesOf(set: CharacterSet): string {
    const ends = [...lineEndsInOrder].flatMap((end, index) => (hasCharacter(set, end) ? [index] : []))
    const others = set.isNegated
      ? [this.#classOf({ ...set, ranges: [...set.ranges, [0x0a, 0x0a]] })]
      : [
          this.#classOf({ ...set, ranges: set.ranges.flatMap(withoutLineFeed), properties: [] }),
          ...set.properties.map(({ opposite }) => `[^\\n${opposite}]`),
        ]
    if (ends.length > 0) others.push(`\\n[${ends.join('')}]\\n`)
    return `(?:${others.join('|')})`
  }

  #rangesOf(ranges: readonly CharacterRange[]): string {
    const { first, last, moved } = surrogates
    const span = (from: number, to: number, by = 0) =>
      from > to ? '' : `\\x{${(from + by).toString(16)}}-\\x{${(to + by).toString(16)}}`
    return ranges
      .map(([from, to]) => {
        if (this.#flags.isUnicode) return span(from, to)
        const halves = span(Math.max(from, first), Math.min(to, last), moved)
        return span(from, Math.min(to, first - 1)) + halves + span(Math.max(from, last + 1), to)
      })
      .join('')
  }
}

/** A property stands for hundreds of ranges; a line end for three characters. Measured. */
const instructionsPerProperty = 100
const instructionsPerLineEnd = 4

function moveSurrogate(half: string): string {
  return String.fromCodePoint(half.charCodeAt(0) + surrogates.moved)
}
