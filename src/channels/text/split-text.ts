import { type StyledText, sliceText, trimText } from './styled-text.ts'

/** The length that a text has once a messenger's way of formatting is written into it. */
export type LengthOf = (text: StyledText) => number

/** Units beyond a place to cut that are looked at: more than any sign that is put together of several has. */
const longestGrapheme = 64

let segmenter: Intl.Segmenter | undefined

/**
 * Cuts a text into pieces of at most `limit` units each: behind a paragraph, a line or a word where one ends in the
 * second half of a piece, and never within a sign that is put together of several.
 */
export function splitText(text: StyledText, limit: number, lengthOf: LengthOf): StyledText[] {
  const pieces: StyledText[] = []
  let from = 0
  while (from < text.text.length) {
    const window = sliceText(text, from, from + limit)
    const end = longestFitting(window, limit, lengthOf)
    const isLast = from + end >= text.text.length
    const length = isLast ? end : breakBefore(text.text.slice(from, from + limit + longestGrapheme), end)
    const piece = trimText(sliceText(window, 0, length))
    if (piece.text !== '') pieces.push(piece)
    from += length
  }
  return pieces
}

/** The most that fit of so many, where fewer fit if more do. */
export function mostFitting(many: number, fits: (many: number) => boolean): number {
  if (many === 0 || fits(many)) return many
  let low = 0
  let high = many - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle - 1
  }
  return low
}

/** Cuts a text to a length, with an ellipsis where something is missing. */
export function cutText(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, signBefore(text, limit - 1)).trimEnd()}…`
}

/** A beginning that fits, and hardly a longer one does. A single unit is taken in any case. */
function longestFitting(window: StyledText, limit: number, lengthOf: LengthOf): number {
  let end = window.text.length
  for (;;) {
    const length = lengthOf(sliceText(window, 0, end))
    if (length <= limit || end <= 1) return end
    end = Math.max(1, Math.min(end - 1, Math.floor((end * limit) / length)))
  }
}

function breakBefore(text: string, end: number): number {
  if (end >= text.length) return end
  const head = text.slice(0, end + 1)
  for (const mark of ['\n\n', '\n', ' ']) {
    const at = head.lastIndexOf(mark)
    if (at >= end / 2) return at
  }
  return signBefore(text, end)
}

/** The last place up to this one that does not stand within a sign. */
function signBefore(text: string, end: number): number {
  segmenter ??= new Intl.Segmenter()
  const start = segmenter.segment(text.slice(0, end + longestGrapheme)).containing(end)?.index ?? end
  if (start > 0) return start
  // One sign is longer than all of the piece: marks without end. Halves of a character stay together all the same.
  const isLow = (text.charCodeAt(end) & 0xfc00) === 0xdc00
  return isLow && end > 1 ? end - 1 : end
}
