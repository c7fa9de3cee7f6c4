/** Nothing below U+0300 has another composed form. */
const beyondLatin = /[^\0-\u02FF]/

/** More marks on one letter than any language has: the bound of the Stream-Safe Text Format (UAX #15). */
const longMarkRun = /(\p{M}{31,})/u

/** More marks in a row than words of any language have. */
const markPile = /\p{M}{4,}/gu

/** Cost of composing a mark in a pile beside rendering a character: it takes up to 0.4 µs. */
const pileWeight = 64

/** Cost of composing a text, in characters rendered; next to nothing but for piles of marks. */
export function composingCost(text: string): number {
  if (!beyondLatin.test(text)) return 0
  let marks = 0
  for (const [pile] of text.matchAll(markPile)) marks += pile.length
  return pileWeight * marks
}

/**
 * A text in Normalization Form C, in which accents that are put together differently are equal. A run of more than 30
 * marks stays as it is: `normalize` takes the square of its length, 1.7 s for 64 Ki marks.
 */
export function composeText(text: string): string {
  if (!beyondLatin.test(text)) return text
  return text
    .split(longMarkRun)
    .map((part, index) => (index % 2 === 1 ? part : part.normalize('NFC')))
    .join('')
}
