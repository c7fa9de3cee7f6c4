import { composeText } from '../../../engine/values/compose-text.ts'

/** A visitor's reply, without the phrases that were already matched. */
export type TokenizedText = ReturnType<typeof tokenizePhrases>

/** A word, or a character between words. */
const token = /[\p{L}\p{N}\p{M}]+|./gsu
const word = /^[\p{L}\p{N}\p{M}]/u

/** Classes of the characters of a text. The text on both sides of a taken phrase never makes up another. */
const [separator, wordPart, taken] = [0, 1, 2]

/** A text as phrases are compared: neither its case nor how many blanks it has anywhere makes a difference. */
export function tokenizePhrase(text: string, inCase: (text: string) => string = foldCase): string {
  return inCase(text).replace(/\s+/gu, ' ').trim()
}

/**
 * Reads a text for phrases, which `tokenizePhrase` has prepared in the same case. A phrase is looked for only where its
 * rarest word is, and each such place is counted by `spend`: flows and replies can be written to have very many.
 */
export function tokenizePhrases(
  spoken: string,
  spend: (characters: number) => void,
  inCase: (text: string) => string = foldCase,
) {
  const text = tokenizePhrase(spoken, inCase)
  const { places, marks } = mark(text)

  const isAt = (phrase: string, start: number): boolean => {
    spend(1 + phrase.length / 16)
    const end = start + phrase.length
    const isInOnePiece = marks[start - 1] !== wordPart && marks[end] !== wordPart
    return isInOnePiece && text.startsWith(phrase, start) && !marks.subarray(start, end).includes(taken)
  }

  const find = (phrase: string): number | undefined => {
    if (phrase.length > text.length) return undefined
    const { offset, at } = rarestToken(phrase, places)
    const place = at.find((index) => index >= offset && isAt(phrase, index - offset))
    return place === undefined ? undefined : place - offset
  }

  return {
    /** Whether a phrase is in it, in one piece: no letter, digit or mark next to it. */
    includes: (phrase: string) => find(phrase) !== undefined,
    /** Takes a phrase out at the first place where it is; false when it is nowhere. */
    consume: (phrase: string): boolean => {
      const start = find(phrase)
      if (start !== undefined) marks.fill(taken, start, start + phrase.length)
      return start !== undefined
    },
  }
}

type Places = ReadonlyMap<string, readonly number[]>

/** Token of the phrase that is rarest in the text: its place in the phrase, and its places in the text. */
function rarestToken(phrase: string, places: Places): { offset: number; at: readonly number[] } {
  let rarest: { offset: number; at: readonly number[] } | undefined
  for (const { 0: found, index: offset } of phrase.matchAll(token)) {
    const at = places.get(found) ?? []
    if (rarest === undefined || at.length < rarest.at.length) rarest = { offset, at }
    if (at.length === 0) break
  }
  return rarest ?? { offset: 0, at: [] }
}

/** Places of each token, and the characters that are part of a word. */
function mark(text: string): { places: Places; marks: Uint8Array } {
  const places = new Map<string, number[]>()
  const marks = new Uint8Array(text.length).fill(separator)
  for (const { 0: found, index } of text.matchAll(token)) {
    const at = places.get(found)
    if (at) at.push(index)
    else places.set(found, [index])
    if (word.test(found)) marks.fill(wordPart, index, index + found.length)
  }
  return { places, marks }
}

/**
 * A text in the form in which two that differ only in case are equal, however their accents are put together.
 * Both ways, since each alone keeps some apart: `ς` from `σ`, `ẞ` from `ß`.
 */
export function foldCase(text: string): string {
  return composeText(text.toLowerCase().toUpperCase())
}
