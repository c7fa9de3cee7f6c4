import fc from 'fast-check'

/**
 * Texts that stand for JSON which a value can't hold or a failure could not show, once `jsonText` has written them:
 * numbers beyond the range, and nesting by its depth.
 */
const rawNumbers = ['@@1e400', '@@-1e400', '@@-0', '@@1e-400', '@@0.1e1']
const rawNesting = ['@@[*150', '@@{*150', '@@[*3000', '@@[*40000']

const pieces = [
  '',
  ' ',
  '\u0000',
  '\r\nx: y',
  '\u2028',
  '\u202e',
  '\ufeff',
  '\ud800',
  '\udfff\ud800',
  'e\u0301'.repeat(20),
  '🧑‍🧑‍🧒‍🧒',
  'ﷺ',
  'İı',
  '{{',
  '}}',
  '{{Name}}',
  '{{ Name }}',
  '{{__proto__}}',
  '{{={{Name}}=}}',
  '{{={{={{Name}}=}}=}}',
  '{{=for(;;);=}}',
  '{{=[].constructor.constructor("return process")()=}}',
  '{{=',
  '${{Name}}',
  '$&$1$`',
  '\\',
  '"',
  '`${1}`',
  '/(a+)+$/',
  '/[/',
  '/(?<=a)\\1/gimsuy',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'undefined',
  'null',
  'NaN',
  'Infinity',
  '-0',
  '1e309',
  '0x10',
  '١٢٣',
  '12,5',
  '9007199254740993',
  '99999999999999999999999',
  '2024-02-31',
  '+275760-09-13T00:00:00.000Z',
  '-271821-04-20',
  '0000-00-00',
  '24:00',
  '99:99 pm',
  'yesterday',
  'in 99999999999 years',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'http://[::1',
  'http://a.example:99999/',
  'https://xn--/',
  'https://a.example/%zz?%00#',
  '//a.example',
  'a@b',
  'a@[127.0.0.1]',
  '"a b"@example.org',
  '+1 (',
  '+999999999999999999',
  '../../etc/passwd',
  '<img src=x onerror=alert(1)>',
  '![a](javascript:b)',
  '[a](b "c',
  '> '.repeat(200),
  '- '.repeat(200),
  '*'.repeat(500),
  '['.repeat(500),
  '|a|b|\n|-|-|\n|c|',
  '&#0;&bogus;',
  '[1,[2,[3]]]',
  '{"a":{"__proto__":{"x":1}}}',
  '{"statusCode":"200","data":null}',
]

/** Long texts, by a letter and a length, as a failure would show all of it otherwise. */
const longText = fc
  .tuple(
    fc.constantFrom('x', '🙂', '{{Name}}', '\ud800', '1', ' ', '\n'),
    fc.constantFrom(300, 5_000, 20_000, 70_000),
  )
  .map(([piece, length]) => piece.repeat(Math.ceil(length / piece.length)))

/** Texts that somebody, somewhere, has stumbled over. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(...pieces) },
  { weight: 4, arbitrary: fc.array(fc.constantFrom(...pieces), { maxLength: 4 }).map((all) => all.join('')) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 2, arbitrary: fc.array(fc.integer({ max: 0xffff, min: 0 }), { maxLength: 6 }).map(fromUnits) },
  { weight: 1, arbitrary: longText },
)

function fromUnits(units: readonly number[]): string {
  return String.fromCharCode(...units)
}

/** Keys that lead to a prototype, are missed by some loops, or are no names at all. */
export const hostileKey = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'valueOf',
    'toJSON',
    'then',
    'length',
    '0',
    '',
  ),
  fc.constantFrom(
    'a/b',
    'a~b',
    '~1',
    '$ref',
    '$id',
    'id',
    'type',
    'options',
    'items',
    'groups',
    'value',
    '\ud800',
  ),
)

/** Numbers at the edges, and beyond them. */
export const hostileNumber: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...rawNumbers),
  fc.constantFrom(
    0,
    -1,
    0.1,
    1e21,
    1e308,
    -1e308,
    5e-324,
    2 ** 31,
    2 ** 32,
    2 ** 53,
    -(2 ** 53),
    1e-7,
    65_536,
  ),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

/** Any value in the place of any other. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: hostileText },
  { weight: 4, arbitrary: hostileNumber },
  { weight: 3, arbitrary: fc.constantFrom(null, true, false, [], {}, [[]], [null], { type: null }) },
  { weight: 2, arbitrary: fc.constantFrom(...rawNesting) },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.tuple(hostileKey, fc.oneof(hostileText, hostileNumber)), { maxLength: 3 })
      .map(Object.fromEntries),
  },
  { weight: 1, arbitrary: fc.array(hostileText, { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)
