import type { Style, StyledSpan, StyledText } from '../text/styled-text.ts'

/** Looks that WhatsApp has a mark for, the outermost first. */
const marks = [
  ['bold', '*'],
  ['italic', '_'],
  ['strikethrough', '~'],
  ['code', '`'],
] as const satisfies readonly (readonly [Style, string])[]

const markSigns: readonly string[] = marks.map(([, sign]) => sign)

const isSign = (sign: string | undefined) => sign !== undefined && markSigns.includes(sign)

const fence = '```'

/** Beside a sign it makes the sign no mark, as marks touch what they mark; WhatsApp has no other way to escape one. */
const hairSpace = '\u200a'

/** Marked ranges of one line: no text for readers has as many, and each is held against the others. */
const mostLooks = 200

const wordBefore = /[\p{L}\p{N}]$/u
const wordBehind = /^[\p{L}\p{N}]/u

/**
 * Writes a text with the marks of WhatsApp. Signs that are part of the text are never read as marks. Looks that
 * WhatsApp has no mark for are left out, as are those that begin or end within a word, or at such a sign.
 */
export function writeMarks({ text, spans }: StyledText): string {
  const fences = spans.filter(
    ({ style, start, end }) => style === 'pre' && isEdge(text[start - 1]) && isEdge(text[end]),
  )
  const isTicked = text.split('`').length > 2 || fences.length > 0
  const waiting = spans.toSorted((one, other) => one.start - other.start)
  let next = 0
  let open: StyledSpan[] = []
  let written = ''
  let at = 0
  for (const line of text.split('\n')) {
    const range = { start: at, end: at + line.length }
    const opening = fences.find(({ start, end }) => start <= at && range.end <= end)
    if (written !== '' || at > 0) written += '\n'
    if (opening?.start === at) written += fence
    open = open.filter(({ end }) => end > range.start)
    for (let span = waiting[next]; span && span.start < range.end; span = waiting[++next])
      if (span.end > range.start) open.push(span)
    written += writeLine(line, { spans: opening ? [] : open, at, isTicked })
    if (opening?.end === range.end) written += fence
    at = range.end + 1
  }
  return written
}

const isEdge = (sign: string | undefined) => sign === undefined || sign === '\n'

interface Line {
  readonly spans: readonly StyledSpan[]
  /** Place of the line in the text. */
  readonly at: number
  /** Whether backquotes anywhere in the text could make a pair. */
  readonly isTicked: boolean
}

function writeLine(line: string, { spans, at, isTicked }: Line): string {
  const isQuoted = spans.some(({ style }) => style === 'quote')
  const prefix = isQuoted ? '> ' : /^(?:[*-] |>)/.test(line) ? hairSpace : ''
  // Most lines: nothing to mark, and nothing that could be a mark.
  if (spans.length === 0 && !/[*_~`]/.test(line)) return prefix + line
  const looks = looksOf(line, spans, at)
  const openAt = new Map<number, string>()
  const closeAt = new Map<number, string>()
  for (const { start, end, sign } of looks) {
    openAt.set(start, (openAt.get(start) ?? '') + sign)
    closeAt.set(end, sign + (closeAt.get(end) ?? ''))
  }
  for (const { start, end, url } of spans) {
    if (url === undefined || end - at > line.length || url === line.slice(Math.max(0, start - at), end - at))
      continue
    closeAt.set(end - at, `${closeAt.get(end - at) ?? ''} (${escapeAddress(url)})`)
  }
  const risky = markSigns.filter((sign) => isRisky(line, sign, { looks, isTicked }))
  const escapeSigns = (signs: string, index: number) => {
    if (signs.length === 1 && signs !== '`' && isWithinWord(line, index)) return signs
    return risky.reduce((text, sign) => text.replaceAll(sign, hairSpace + sign + hairSpace), signs)
  }
  let written = prefix
  let from = 0
  const writeUpTo = (end: number) => {
    const start = from
    written += escapePlain(line.slice(start, end), (signs, index) => escapeSigns(signs, start + index))
    from = end
  }
  for (const place of [...new Set([...openAt.keys(), ...closeAt.keys()])].sort((one, other) => one - other)) {
    writeUpTo(place)
    written += (closeAt.get(place) ?? '') + (openAt.get(place) ?? '')
  }
  writeUpTo(line.length)
  return written
}

/** Signs beside each other come at once: none of them stands within a word. */
const marksOrAddress = /https?:\/\/\S+|[*_~`]+/gi

/** Writes a part of a line. Addresses get their own way of writing signs, as blanks would end them. */
function escapePlain(part: string, escapeSigns: (signs: string, index: number) => string): string {
  return part.replace(marksOrAddress, (found, index: number) =>
    isSign(found[0]) ? escapeSigns(found, index) : escapeAddress(found),
  )
}

/** The looks of a line that can be marked, without blanks at their ends. */
function looksOf(line: string, spans: readonly StyledSpan[], at: number) {
  const found: { start: number; end: number; sign: string }[] = []
  for (const [style, sign] of marks) {
    for (const { start, end } of merge(spans.filter((span) => span.style === style))) {
      const from = Math.max(0, start - at)
      const part = line.slice(from, end - at)
      const look = {
        start: from + part.length - part.trimStart().length,
        end: from + part.trimEnd().length,
        sign,
      }
      // Blanks are put beside signs of the text, and a mark beside a blank is none.
      const touches =
        isBehindWord(line, look.start) ||
        isBeforeWord(line, look.end) ||
        isSign(line[look.start]) ||
        isSign(line[look.end - 1])
      const crosses = found.some(
        (other) => other.start < look.end && look.start < other.end && !isWithin(look, other),
      )
      if (look.start < look.end && !touches && !crosses) found.push(look)
      if (found.length === mostLooks) return found
    }
  }
  return found
}

interface Range {
  readonly start: number
  readonly end: number
}

const isWithin = (inner: Range, outer: Range) => outer.start <= inner.start && inner.end <= outer.end

/** Ranges that touch, as one. */
function merge(ranges: readonly Range[]): Range[] {
  const merged: Range[] = []
  for (const range of ranges.toSorted((one, other) => one.start - other.start)) {
    const last = merged.at(-1)
    if (last && range.start <= last.end)
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, range.end) }
    else merged.push(range)
  }
  return merged
}

/** Whether a sign in a line could be read as a mark: a pair could, and one beside a mark of the same kind. */
function isRisky(
  line: string,
  sign: string,
  { looks, isTicked }: { readonly looks: readonly { sign: string }[]; readonly isTicked: boolean },
): boolean {
  const first = line.indexOf(sign)
  if (first < 0) return false
  if (sign === '`' && isTicked) return true
  return looks.some((look) => look.sign === sign) || line.indexOf(sign, first + 1) > 0
}

const isBehindWord = (line: string, index: number) =>
  wordBefore.test(line.slice(Math.max(0, index - 2), index))

const isBeforeWord = (line: string, index: number) => wordBehind.test(line.slice(index, index + 2))

const isWithinWord = (line: string, index: number) =>
  isBehindWord(line, index) && isBeforeWord(line, index + 1)

/** Characters of an address with which there still is room for its words. */
const longestEscaped = 3_000

/** An address without signs that could be marks: it leads to the same place. */
function escapeAddress(address: string): string {
  const escaped = address.replace(/[*_~`]/g, (sign, index: number) =>
    sign !== '`' && isWithinWord(address, index) ? sign : `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return escaped.length > longestEscaped ? address : escaped
}
