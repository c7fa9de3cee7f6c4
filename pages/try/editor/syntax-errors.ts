import { type ParseError, parse } from 'jsonc-parser'

export interface SyntaxError {
  readonly from: number
  readonly to: number
  readonly message: string
}

/** Behind the first ones, most follow from another. */
const most = 20

/** By the numbers of the parser, whose names are types only. */
const messages: Readonly<Record<number, string>> = {
  1: 'This is no JSON value',
  2: 'This is no number',
  3: 'A key in double quotes is expected',
  4: 'A value is expected',
  5: 'A colon is expected',
  6: 'A comma is expected',
  7: 'A closing brace is expected',
  8: 'A closing bracket is expected',
  9: 'The end of the text is expected',
  10: 'JSON has no comments',
  11: 'JSON has no comments',
  12: 'The closing quote is missing',
  13: 'This number has no end',
  14: 'This is no Unicode escape: \\u and four hexadecimal digits',
  15: 'This is no escape of JSON',
  16: 'This character has to be escaped',
}

/** Where a text is no JSON; empty for one that is. */
export function findSyntaxErrors(text: string): SyntaxError[] {
  const errors: ParseError[] = []
  try {
    parse(text, errors, { disallowComments: true, allowTrailingComma: false })
  } catch {
    // Brackets inside brackets until the stack is full.
    return [{ from: 0, to: Math.min(1, text.length), message: 'This is nested too deeply' }]
  }
  return errors.slice(0, most).map(({ error, offset, length }) => ({
    from: Math.min(offset, text.length),
    to: Math.min(offset + length, text.length),
    message: messages[error] ?? 'This is no JSON',
  }))
}
