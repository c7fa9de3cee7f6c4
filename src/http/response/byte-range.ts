/** Both ends are included. */
interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * The part of a file that a `Range` header asks for, one part and no more. Undefined for the whole, which is also
 * the answer to a header that asks for something else: players only ever ask for one part that is there.
 */
export function parseByteRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  const start = first === '' ? Math.max(size - Number(last), 0) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return start <= end ? { start, end } : undefined
}
