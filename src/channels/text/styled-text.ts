/** Looks of a part of a text. */
export type Style = 'bold' | 'italic' | 'underline' | 'strikethrough' | 'code' | 'pre' | 'quote' | 'link'

/** A range of a text with a look, in units of UTF-16. */
export interface StyledSpan {
  readonly start: number
  readonly end: number
  readonly style: Style
  /** Of a link. */
  readonly url?: string
}

/** A text with its looks. Of two spans that meet, one lies within the other. */
export interface StyledText {
  readonly text: string
  readonly spans: readonly StyledSpan[]
}

/** A text without looks, or in one. */
export function plain(text: string, style?: Style): StyledText {
  return { text, spans: style && text !== '' ? [{ start: 0, end: text.length, style }] : [] }
}

export function concat(...texts: readonly StyledText[]): StyledText {
  let text = ''
  const spans: StyledSpan[] = []
  for (const part of texts) {
    const by = text.length
    for (const span of part.spans) spans.push({ ...span, start: span.start + by, end: span.end + by })
    text += part.text
  }
  return { text, spans }
}

/** Texts with something between them; empty ones are left out. */
export function joinTexts(texts: readonly StyledText[], between: string): StyledText {
  const filled = texts.filter(({ text }) => text !== '')
  return concat(...filled.flatMap((text, index) => (index > 0 ? [plain(between), text] : [text])))
}

export function sliceText({ text, spans }: StyledText, start: number, end = text.length): StyledText {
  const kept: StyledSpan[] = []
  for (const span of spans) {
    if (span.end <= start || span.start >= end) continue
    const { style, url } = span
    const range = { start: Math.max(span.start, start) - start, end: Math.min(span.end, end) - start, style }
    kept.push(url === undefined ? range : { ...range, url })
  }
  return { text: text.slice(start, end), spans: kept }
}

/** A text without blanks at its ends. */
export function trimText(styled: StyledText): StyledText {
  const { text } = styled
  const start = text.length - text.trimStart().length
  const end = text.trimEnd().length
  if (start >= end) return plain('')
  return start === 0 && end === text.length ? styled : sliceText(styled, start, end)
}

/** A text in one line, for places that have no more. */
export const withoutLineBreaks = (text: string): string => cleanText(text).replace(/\s+/g, ' ').trim()

/** A text that every messenger takes: no halves of characters, and of control characters line breaks and tabs only. */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/\p{Cc}/gu, (sign) => (sign === '\n' || sign === '\t' ? sign : ''))
    .toWellFormed()
}
