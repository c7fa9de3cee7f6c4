import fc from 'fast-check'

/** Writes a value as JSON; texts that begin with `@@` stand for what no value can hold (`hostileValue`). */
export function jsonText(value: unknown): string {
  return JSON.stringify(value ?? null).replace(
    /"@@(?:([[{])\*(\d{1,5})|(-?[\d.e+-]+))"/g,
    (_, bracket, depth, number) => (bracket === undefined ? number : nested(bracket, Number(depth))),
  )
}

function nested(bracket: '[' | '{', depth: number): string {
  return bracket === '['
    ? '['.repeat(depth) + ']'.repeat(depth)
    : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
}

/** A change of bytes at a place, which counts on from the beginning when the text is shorter. */
export interface ByteEdit {
  readonly at: number
  readonly removed: number
  readonly added: string
}

const addedBytes = fc.oneof(
  fc.constantFrom(
    '',
    '\u0000',
    '"',
    '\\',
    '\\u',
    '\\ud800',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '{"__proto__":{"a":1},',
    '\n',
    'ÿ',
  ),
  fc.constantFrom(
    '//',
    '/**/',
    "'",
    '+1',
    '01',
    '.5',
    '1e',
    'NaN',
    'True',
    'undefined',
    '\ufeff',
    '\u00c0\u0080',
    '\u00ed\u00a0\u0080',
  ),
  fc.string({
    unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
    maxLength: 4,
  }),
)

/** Few changes, mostly none. */
export const byteEdits: fc.Arbitrary<readonly ByteEdit[]> = fc.oneof(
  { weight: 12, arbitrary: fc.constant([]) },
  {
    weight: 1,
    arbitrary: fc.array(
      fc.record({
        at: fc.nat(20_000),
        removed: fc.oneof(fc.nat(3), fc.constant(1_000_000)),
        added: addedBytes,
      }),
      { minLength: 1, maxLength: 3 },
    ),
  },
)

/** Changes the bytes of a text; what is added is read as Latin-1, so that it can be no UTF-8. */
export function editBytes(text: string, edits: readonly ByteEdit[]): Buffer {
  let bytes = Buffer.from(text)
  for (const { at, removed, added } of edits) {
    const start = at % (bytes.length + 1)
    bytes = Buffer.concat([
      bytes.subarray(0, start),
      Buffer.from(added, 'latin1'),
      bytes.subarray(start + removed),
    ])
  }
  return bytes
}
