import fc from 'fast-check'
import { setVariable, textInput, variable } from '../../../fixtures/short-flows.ts'
import type { Json } from '../../../support/json.ts'
import { playCalls } from '../play.ts'
import { type AttackClass, previewed, replied } from './attack-class.ts'

interface Pattern {
  /** Groups around everything, inside each other. */
  readonly depth: number
  /** Repeated, one beside the other. */
  readonly piece: string
  readonly times: number
  readonly between: string
  readonly flags: string
  readonly into: keyof typeof holders
}

const condition = (value: string): Json => ({
  id: 'c',
  type: 'Condition',
  items: [
    {
      id: 'i',
      content: {
        comparisons: [{ id: 'q', variableId: 'vV', comparisonOperator: 'Matches regex', value }],
      },
    },
  ],
})

const responsePath = (bodyPath: string): Json => ({
  id: 'h',
  type: 'Webhook',
  options: {
    webhook: { url: 'https://a.example/', method: 'GET' },
    responseVariableMapping: [{ id: 'm', variableId: 'vV', bodyPath }],
  },
})

/** Where a pattern stands; all are compiled, whether or not they are ever matched. */
const holders = {
  expression: (literal) => setVariable('s', 'vV', `${literal}.test("")`),
  'long expression': (literal) => setVariable('s', 'vV', `{{V}}.replace(${literal}, "x")`),
  'inline code': (literal) => setVariable('s', 'vV', `"{{=${literal}.test({{V}})=}}"`),
  code: (literal) => ({
    id: 'c',
    type: 'Code',
    options: { content: `setVariable("V", ${literal}.test("a"))`, isExecutedOnClient: false },
  }),
  script: (literal) => ({
    id: 'c',
    type: 'Code',
    options: { content: `${literal}.test({{V}})`, isExecutedOnClient: true },
  }),
  'condition as a literal': condition,
  condition: (literal) => condition(literal.slice(1, literal.lastIndexOf('/'))),
  'response path': (literal) => responsePath(`$.data[?(${literal}.test(@))]`),
} satisfies Record<string, (literal: string) => Json>

/** Patterns that are large in one way or another, in everything that compiles one. */
export const patterns: AttackClass<Pattern> = {
  parameters: fc.record({
    depth: fc.constantFrom(600, 0, 200, 600),
    piece: fc.constantFrom(
      '((?<a>))',
      '(?<a>)',
      '((?<a>))',
      '(?:(?<a>b)|c)',
      '(?<a>b)',
      '((?<a>b))',
      '(?<a>)',
      '((?<a>))',
      '(?<a>b)',
      '((?<a>)|(?<b>))',
      '(?:(?<a>b)|c)',
      '\\k<a>',
      '(a|aa)*',
      'a{0,999}',
      '(a?){50}',
      '[^a-z\\u0100-\\uffff]',
      '\\p{L}',
      '\\p{RGI_Emoji}',
      '[[a-z]&&[^b]]',
      '(?=a)',
      '(?<!a)',
      '\\1',
      '.*',
    ),
    times: fc.constantFrom(1_300, 1, 5_000, 1_300),
    between: fc.constantFrom('|', '', '|', '|'),
    flags: fc.constantFrom('', 'i', 'u', 'v', 'gimsy'),
    into: fc.constantFrom(...(Object.keys(holders) as (keyof typeof holders)[])),
  }),
  play({ depth, piece, times, between, flags, into }, tried) {
    const most = Math.max(1, Math.floor(mostCharacters / (piece.length + between.length)))
    const inner = Array.from({ length: Math.min(times, most) }, () => piece).join(between)
    const literal = `/${'('.repeat(depth)}${inner}${')'.repeat(depth)}/${flags}`
    const blocks = [textInput('i', 'vV'), holders[into](literal)]
    return playCalls([previewed({ variables: [variable('V')], blocks }), replied('a'.repeat(2_000))], tried)
  },
}

const mostCharacters = 60_000
