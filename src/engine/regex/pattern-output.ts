const surrogates = { first: 0xd800, last: 0xdfff, moved: 0x10_0000 }

/** A character as RE2 writes it. Half an emoji is moved to where it is a character of its own. */
export function literal(code: number, isUnicode: boolean): string {
  const isHalf = !isUnicode && code >= surrogates.first && code <= surrogates.last
  return `\\x{${(isHalf ? code + surrogates.moved : code).toString(16)}}`
}

/** A range of characters inside a class. */
export function range(from: number, to: number, isUnicode: boolean): string {
  const span = (first: number, last: number) =>
    first > last ? '' : `${literal(first, isUnicode)}-${literal(last, isUnicode)}`
  if (isUnicode) return span(from, to)
  const { first, last } = surrogates
  return (
    span(from, Math.min(to, first - 1)) +
    span(Math.max(from, first), Math.min(to, last)) +
    span(Math.max(from, last + 1), to)
  )
}

/** A class of what is listed, or of everything else. */
export function classOf(content: string, isNegated = false): string {
  if (content === '') return isNegated ? '[\\x{0}-\\x{10FFFF}]' : '[^\\x{0}-\\x{10FFFF}]'
  return isNegated ? `[^${content}]` : `[${content}]`
}
