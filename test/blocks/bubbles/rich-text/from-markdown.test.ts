import fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { describe, expect, it } from 'vitest'
import { readMarkdown } from '../../../../src/blocks/bubbles/rich-text/from-markdown.ts'
import { createReadingBudget, isPlain } from '../../../../src/blocks/bubbles/rich-text/reading-cost.ts'
import { p, t } from './shorthand.ts'

/** Pieces of text of which markdown is made, and of which it is not. */
const pieces = fc.constantFrom(
  ...[
    'a',
    'Zé',
    '7',
    '1.',
    '12)',
    ' ',
    '  ',
    '\n',
    '\t',
    '\r\n',
    '\u00a0',
    '\u2028',
    '\0',
    '\ufeff',
    '😀',
    '|',
    ':',
    '"',
    "'",
  ],
  ...[
    '*',
    '_',
    '__',
    '`',
    '~~~',
    '#',
    '##',
    '>',
    '-',
    '---',
    '+',
    '=',
    '===',
    '\\',
    '&',
    '&amp;',
    '&#35;',
    ';',
    '<',
    '<b>',
    '>',
  ],
  ...[
    '[',
    ']',
    '(',
    ')',
    '![',
    '](',
    '[a]',
    '[a]:',
    'https://x.example',
    '<!--',
    '@',
    'snake_case',
    '{{V}}',
    '$',
    '%',
    '.',
    ',',
    '!',
  ],
)
const texts = fc.array(pieces, { minLength: 1, maxLength: 12 }).map((some) => some.join(''))

describe('a plain value', () => {
  it('is what the parser takes for one paragraph of that very text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        if (!isPlain(text)) return
        const { children } = fromMarkdown(text, { extensions: [{ disable: { null: ['definition'] } }] })
        expect(children).toMatchObject([{ type: 'paragraph', children: [{ type: 'text', value: text }] }])
        expect(children[0]).toHaveProperty('children.length', 1)
      }),
      { numRuns: 5000 },
    )
  })

  it.each([
    ...[
      'Ann',
      'two words',
      'a@b.example',
      '+33 6 12',
      '#123',
      '-5',
      '7',
      '3.5',
      '1.5 kg',
      '["a","b"]',
      '{"a":1}',
    ],
    ...[
      'https://x.example?a=1&b=2',
      'snake_case_x',
      'a < b',
      'Hi!',
      'L1\nL2',
      '$5',
      'é😀',
      '2026-11-21',
      '(x)',
      '~5'.slice(1),
    ],
  ])('is told without a parser: %j', (text) => {
    expect(isPlain(text)).toBe(true)
  })

  it.each([
    '- a',
    '1. a',
    '1)',
    '# a',
    '#',
    '> a',
    '~~~',
    'a\n---',
    'a\n=',
    ' a',
    'a ',
    'a\n',
    'a\n\nb',
    '*a*',
    '_a_',
    'a_',
    '`a`',
    '[a](b)',
    '<b>',
    '&amp;',
    '\\a',
    'a\r',
    '\ufeffa',
  ])('is not assumed: %j', (text) => {
    expect(isPlain(text)).toBe(false)
  })
})

const length = 65_536
const fill = (piece: string) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
const hostile: [string, string][] = [
  ...[
    '>',
    '> ',
    '[',
    '![',
    '- ',
    '* ',
    '1. ',
    '1)> ',
    '>- ',
    '*',
    '_',
    '*a ',
    '*a_ ',
    '**a *a ',
    '`',
    '`a``b',
    '<',
    '<a ',
  ].map(fill),
  ...[
    '<!--',
    'a<!--',
    'a<?',
    '<a b="',
    '&',
    '&a',
    '\\',
    '#',
    '~',
    '=',
    ' ',
    '\t',
    '\n',
    ' \n',
    'a\n',
    'a\n\n',
    '- a\n',
  ].map(fill),
  ...[
    '> a\n\n',
    '# a\n',
    'a\n=\n',
    '[a](b) ',
    '[a](',
    '[a]: b\n',
    '[a]',
    ']',
    '<div>\n\n',
    '    a\n',
    '```\n',
    '***\n',
    '<a@b',
  ].map(fill),
  ...['a ', '1', '-', '+', '\r', '\u00a0', 'a_', '&#', '](', '1.', 'a  \n'].map(fill),
  fill('[').slice(length / 2) + fill(']').slice(length / 2),
  `${fill('*').slice(length / 2)}a${fill('*').slice(length / 2)}`,
  Array.from({ length: 360 }, (_, depth) => `${' '.repeat(depth)}- a`).join('\n'),
].map((text) => [`${text.slice(0, 8)}…`, text])

describe('a hostile value', () => {
  it.each(hostile)('of 64 KiB is read to its end: %j', (_, text) => {
    const nodes = readMarkdown(text)
    expect(JSON.stringify(nodes).length).toBeLessThan(20 * length)
  })

  it.each(['>'.repeat(200), '- '.repeat(200), `${'*a **b '.repeat(60)}${'** *'.repeat(60)}`])(
    'that is nested too deep is text: %j',
    (text) => {
      expect(readMarkdown(`${text} x`)).toEqual([p(`${text} x`)])
    },
  )

  it('that is too dense is text', () => {
    const text = '**a** '.repeat(2000)
    expect(readMarkdown(text)).toEqual([p(text)])
  })

  it.each(['\t', '!', '\0', 'javascript \t:', ' !\t'])(
    'that is made of what is read one by one is text: %j',
    (part) => {
      const text = `x${part.repeat(70_000)}x`
      expect(readMarkdown(text)).toEqual([p(text)])
    },
  )

  it.each(['\t', '! ', ' \0'])(
    'leaves less to those that follow, when it is made of what is read one by one: %j',
    (part) => {
      const budget = createReadingBudget()
      const text = `x${part.repeat(20_000)}\\*`
      const [first, , , last] = Array.from({ length: 4 }, () => readMarkdown(text, budget))
      expect(first).not.toEqual([p(text)])
      expect(last).toEqual([p(text)])
    },
  )

  it('leaves less to those that follow', () => {
    const budget = createReadingBudget()
    const text = '**a** '.repeat(500)
    const [first, , , , , , , last] = Array.from({ length: 8 }, () => readMarkdown(text, budget))
    expect(first).not.toEqual([p(text)])
    expect(last).toEqual([p(text)])
  })
})

describe('a long answer', () => {
  it('is read as markdown when it is a table between tabs', () => {
    const text = `**Stock**\n\n${'name\tcount\tprice\n'.repeat(120)}`
    expect(readMarkdown(text)[0]).toEqual(p(t('Stock', 'bold')))
  })

  it('is read as markdown', () => {
    const section =
      '## Title\n\nSome **bold** text with `code` and a [link](https://x.example).\n\n- one\n- two\n\n'
    const text = section.repeat(80) + 'Plain words. '.repeat(500)
    expect(text.length).toBeGreaterThan(12_000)
    expect(readMarkdown(text)).toHaveLength(80 * 6 + 1)
  })
})
