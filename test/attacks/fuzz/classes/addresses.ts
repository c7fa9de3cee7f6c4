import fc from 'fast-check'
import { textInput, variable } from '../../../fixtures/short-flows.ts'
import type { Json } from '../../../support/json.ts'
import type { Answer } from '../exchange.ts'
import { judgeLinks } from '../judge-links.ts'
import { playCalls } from '../play.ts'
import { type AttackClass, previewed, replied } from './attack-class.ts'

interface Address {
  /** What is said, in its parts. */
  readonly said: readonly string[]
  readonly into: keyof typeof holders
  readonly isPrefilled: boolean
}

const text = (...children: Json[]): Json => ({
  id: 'b',
  type: 'text',
  content: { richText: [{ type: 'p', children }] },
})
const link = (url: string, label = 'x'): Json => ({ type: 'a', url, children: [{ text: label }] })

/** What an author writes around the words of a visitor; no link of theirs is unsafe. */
const holders = {
  'the query of a link': text(link('https://shop.example/?q={{V}}')),
  'the path of a link': text(link('https://shop.example/{{V}}')),
  'a link': text(link('{{V}}')),
  'the end of a scheme': text(link('java{{V}}')),
  'two links': text(link('https://a.example/{{V}}'), link('https://b.example/{{V}}')),
  'the text of a link': text(link('https://shop.example/', '{{V}}')),
  'a text before a link': text({ text: '{{V}}' }, link('https://shop.example/')),
  'a text in bold': text({ text: '{{V}}', bold: true }, { text: ' {{V}}' }),
  'brackets before it': text({ text: '[a]({{V}})' }),
  'a reference': text({ text: '[a]: {{V}}' }, { text: '\n[a]' }),
} satisfies Record<string, Json>

const pieces = fc.constantFrom(
  'javascript:alert(1)',
  'JAVA\tSCRIPT:alert(1)',
  'script:alert(1)',
  'vbscript:x',
  'data:text/html,x',
  '&#106;avascript:alert(1)',
  'javascript&colon;alert(1)',
  '[x](javascript:alert(1))',
  '[x](vbscript:x',
  '<javascript:alert(1)>',
  '[x](',
  '![x](',
  '[x]: ',
  'a ',
  ')',
  '(',
  ']',
  '[',
  '<',
  '>',
  '\\',
  '\n',
  '\n\n',
  '`',
  '"',
  "'",
  '*',
  '%29',
  ' ',
)

/** Words of a visitor that end an address, and begin one of their own. */
export const addresses: AttackClass<Address> = {
  parameters: fc.record({
    said: fc.array(pieces, { minLength: 1, maxLength: 6 }),
    into: fc.constantFrom(...(Object.keys(holders) as (keyof typeof holders)[])),
    isPrefilled: fc.boolean(),
  }),
  play({ said, into, isPrefilled }, tried) {
    const V = said.join('')
    const asked = isPrefilled ? [] : [textInput('i', 'vV')]
    const definition = { variables: [variable('V')], blocks: [...asked, holders[into], textInput('end')] }
    const calls = isPrefilled
      ? [previewed(definition, { prefilledVariables: { V } })]
      : [previewed(definition), replied(V)]
    return playCalls(calls, { ...tried, onAnswer: judging(tried.onAnswer) })
  },
}

function judging(onAnswer: (answer: Answer) => void) {
  return (answer: Answer) => {
    onAnswer(answer)
    judgeLinks(answer)
  }
}
