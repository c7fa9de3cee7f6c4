import fc from 'fast-check'
import { bubble, setVariable, textInput, variable } from '../../../fixtures/short-flows.ts'
import type { Json } from '../../../support/json.ts'
import { playCalls } from '../play.ts'
import { type AttackClass, previewed, replied } from './attack-class.ts'

interface Nested {
  readonly open: string
  readonly inner: string
  readonly close: string
  readonly depth: number
  readonly times: number
  readonly into: keyof typeof holders
}

const holders = {
  bubble: (text) => bubble('b', text),
  expression: (text) => setVariable('s', 'vT', text),
  'quoted expression': (text) => setVariable('s', 'vT', JSON.stringify(text)),
  code: (content) => ({ id: 'c', type: 'Code', options: { content, isExecutedOnClient: false } }),
  script: (content) => ({ id: 'c', type: 'Code', options: { content, isExecutedOnClient: true } }),
  redirect: (text) => ({ id: 'r', type: 'Redirect', options: { url: `https://a.example/${text}` } }),
  placeholder: (placeholder) => ({ ...textInput('i', 'vT'), options: { labels: { placeholder } } }),
} satisfies Record<string, (text: string) => Json>

/** Inline code inside inline code, in everything that a flow is written in. */
export const nestedCode: AttackClass<Nested> = {
  parameters: fc.record({
    open: fc.constantFrom(
      '{{=',
      '{{',
      '{{= (',
      '{{= [',
      '{{="',
      '{{= {a:',
      '`${',
      '(',
      '[',
      '!',
      'a=>',
      'a?.[',
    ),
    inner: fc.constantFrom('1', '{{V}}', '{{={{V}}=}}', '', '"}}"', '=}}'),
    close: fc.constantFrom('=}}', '}}', ') =}}', '] =}}', '"=}}', '}=}}', '}`', ')', ']', ''),
    depth: fc.constantFrom(1, 2, 10, 100, 500, 2_000),
    times: fc.constantFrom(1, 1, 10, 100),
    into: fc.constantFrom(...(Object.keys(holders) as (keyof typeof holders)[])),
  }),
  play({ open, inner, close, depth, times, into }, tried) {
    const piece = open.repeat(depth) + inner + close.repeat(depth)
    const text = piece.repeat(Math.max(1, Math.min(times, Math.floor(mostCharacters / piece.length))))
    const blocks = [textInput('i', 'vV'), holders[into](text), bubble('told', '{{T}}')]
    const start = previewed({ variables: [variable('V'), variable('T')], blocks })
    return playCalls([start, replied('{{=1+1=}}')], tried)
  },
}

const mostCharacters = 60_000
