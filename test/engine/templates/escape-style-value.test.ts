import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeStyleValue, escapeStyleValueWithTexts } from '../../../src/engine/templates/style-values.ts'
import { hasBalancedParentheses } from '../../../src/engine/values/parentheses.ts'

/** What a reader of CSS takes an escaped text for. */
const read = (css: string) =>
  css.replace(/\\([\da-f]{1,6}) /g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))

/** Every character of ASCII, and some of the controls and letters above it. */
const character = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code))

describe('a value in style rules', () => {
  it.each([
    '#ff8800',
    'rgb(255 0 0 / 50%)',
    'calc(2px + (1em - 3px))',
    'Open Sans, sans-serif',
    'https://cdn.example/a_(b).png?x=1&y=2#z',
    '12px !important',
    'é 👍🏽\t',
    '',
  ])('stays as it is when it is one: %j', (value) => {
    expect(escapeStyleValue(value)).toBe(value)
  })

  it.each([
    ['</style>', '\\3c /style\\3e '],
    ['a"b\'c', 'a\\22 b\\27 c'],
    ['red; }', 'red\\3b  \\7d '],
    ['a\\', 'a\\5c '],
    ['*/ x /*', '\\2a / x /\\2a '],
    ['/', '\\2f '],
    [') url(b', '\\29  url\\28 b'],
    ['a\nb', 'a\\a b'],
    ['@x[y]', '\\40 x\\5b y\\5d '],
    ['('.repeat(9) + ')'.repeat(9), '\\28 '.repeat(9) + '\\29 '.repeat(9)],
  ])('is escaped when it would reach beyond its place: %j', (value, expected) => {
    expect(escapeStyleValue(value)).toBe(expected)
  })

  it('is read as it was, and holds nothing that CSS or HTML reads as structure', () => {
    fc.assert(
      fc.property(fc.string({ unit: character }), (value) => {
        const escaped = escapeStyleValue(value)
        expect(read(escaped)).toBe(value)
        const bare = escaped.replace(/\\[\da-f]{1,6} /g, '')
        expect(bare).not.toMatch(/["'*;<>@[\]{}\\\n\r\f]/)
      }),
    )
  })
})

describe('a value in style rules where it may hold texts', () => {
  it.each([
    ['"Open Sans", serif', '"Open Sans", serif'],
    ['\'Open Sans\', "Noto"', '\'Open Sans\', "Noto"'],
    ['"it\'s", (a)', '"it\\27 s", (a)'],
    ['"a;}</style>(x"', '"a\\3b \\7d \\3c /style\\3e \\28 x"'],
    ['"a\\"', '"a\\5c "'],
    ['"a\nb"', '"a\\a b"'],
    ['"a" "b', '"a" \\22 b'],
    ['5" wide', '5\\22  wide'],
    ['"a" ) b', '"a" \\29  b'],
    ['/"a"*/', '\\2f "a"\\2a \\2f '],
  ])('keeps the quotes of those that are whole: %j', (value, expected) => {
    expect(escapeStyleValueWithTexts(value)).toBe(expected)
  })

  it('is read as it was, and holds whole texts at most', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.oneof(character, fc.constantFrom('"', "'", '(', ')')) }), (value) => {
        const escaped = escapeStyleValueWithTexts(value)
        expect(read(escaped)).toBe(value)
        const bare = escaped.replace(/\\[\da-f]{1,6} /g, '')
        expect(bare.replace(/"[^"'()]*"|'[^"'()]*'/g, '')).not.toMatch(/["']/)
        expect(bare).not.toMatch(/[*;<>@[\]{}\\\n\r\f]/)
        expect(hasBalancedParentheses(bare)).toBe(true)
      }),
    )
  })
})
