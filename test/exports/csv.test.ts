import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toCsv } from '../../src/exports/csv.ts'

const cellOf = (text: string) => toCsv([[text]]).slice(1, -2)

describe('a table as CSV', () => {
  it('begins with a byte order mark and ends each line with CRLF', () => {
    expect(
      toCsv([
        ['a', 'b'],
        ['1', ''],
      ]),
    ).toBe('\uFEFFa,b\r\n1,\r\n')
  })

  it.each([
    ['plain', 'plain'],
    ['', ''],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['"', '""""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['Zoë 🙂;x', '"Zoë 🙂;x"'],
    ['x\ty', '"x\ty"'],
    [' blanks ', ' blanks '],
  ])('writes %j as %j', (text, cell) => {
    expect(cellOf(text)).toBe(cell)
  })
})

describe('a cell that a spreadsheet would run', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['=HYPERLINK("https://evil.example","x")', '"\'=HYPERLINK(""https://evil.example"",""x"")"'],
    ['+cmd|calc', "'+cmd|calc"],
    ['+1-2', "'+1-2"],
    ['+49 151 2345', "'+49 151 2345"],
    ['-2+3', "'-2+3"],
    ['-', "'-"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', '"\'\t\'=1"'],
    ['\r=1', '"\'\r\'=1"'],
    ['\n=1', '"\'\n\'=1"'],
    ['  =1', "'  =1"],
    ['\u00a0=1', "'\u00a0=1"],
    ['\0=1', "'\0=1"],
    ['\u200b=1', "'\u200b=1"],
    [' \u200b \u0007@x', "' \u200b \u0007@x"],
    ['\ufeff-5', "'\ufeff-5"],
    ['＝1+1', "'＝1+1"],
    ['－1+1', "'－1+1"],
    ['=1,2', '"\'=1,2"'],
    ['x;=1+1', '"x;\'=1+1"'],
    ['x\t@SUM(A1)', '"x\t\'@SUM(A1)"'],
    ['a\n=1+1', '"a\n\'=1+1"'],
    ['a\r\n - b', '"a\r\n \'- b"'],
    ['x;\t\u200b＝1;-2', '"x;\t\u200b\'＝1;\'-2"'],
  ])('is kept from it: %j', (text, cell) => {
    expect(cellOf(text)).toBe(cell)
  })

  it.each([
    '-5',
    '+5',
    '-5.25',
    '-5,25',
    '+4915123456789',
    '-1e-7',
    '1=1',
    '\u200bx=1',
    'a@b.example',
    "'=1",
  ])('is not: %j', (text) => {
    expect(cellOf(text)).toBe(text.includes(',') ? `"${text}"` : text)
  })

  it('is found among a million blanks', () => {
    expect(cellOf(`${' '.repeat(1_000_000)}x`)).toHaveLength(1_000_001)
    expect(cellOf(`-${'1'.repeat(1_000_000)}x`)).toHaveLength(1_000_003)
    expect(cellOf(`x${'\t'.repeat(1_000_000)}x`)).toHaveLength(1_000_004)
  })

  it('is never one for a reader that splits at semicolons, tabs and lines', () => {
    const piece = fc.constantFrom(
      '=',
      '+',
      '-',
      '@',
      '＝',
      ';',
      '\t',
      '\r',
      '\n',
      ' ',
      '\u200b',
      '"',
      ',',
      "'",
      'x',
      '1',
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const cell = cellOf(pieces.join(''))
        const isNumber = /^[+-]\d[\d.,]*$/.test(cell.replaceAll('"', ''))
        const [first = '', ...later] = isNumber ? [] : cell.split(/[;\t\r\n]/)
        expect(first).not.toMatch(/^"?[\s\p{C}]*[=+\-@＝]/u)
        // Quotes stand twice in the file: a cell that begins with them is an empty one, and goes on behind it.
        for (const start of later) expect(start).not.toMatch(/^["\s\p{C}]*[=+\-@＝]/u)
      }),
      { numRuns: 2000 },
    )
  })
})
