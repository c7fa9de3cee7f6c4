import fc from 'fast-check'
import { variable } from '../../../fixtures/short-flows.ts'
import type { Json } from '../../../support/json.ts'
import { playCalls } from '../play.ts'
import { type AttackClass, previewed, replied } from './attack-class.ts'

/** Combining marks of several classes, one that is no mark, and letters that fall apart into many. */
const marks = [
  ...['\u0301', '\u0316', '\u0327', '\u0301', '\u0316', '\u05b0', '\u3099'],
  ...['e', '\ufdfa', '\uac01', '🏽', '\u0316', '\u0301'],
]

interface Marks {
  /** Each repeated, one run behind the other. */
  readonly runs: readonly { readonly mark: string; readonly times: number }[]
  readonly asks: keyof typeof asking
  /** Prefilled into the variable of the input, or said to it. */
  readonly isPrefilled: boolean
}

const items = (key: string) => ['A', 'B'].map((label) => ({ id: label, [key]: label }))

const asking = {
  choice: { type: 'choice input', items: items('content') },
  choices: { type: 'choice input', items: items('content'), options: { isMultipleChoice: true } },
  pictures: { type: 'picture choice input', items: items('title') },
  cards: { type: 'cards', items: [{ id: 'c', title: 'T', paths: items('text') }] },
  dynamic: { type: 'choice input', items: [], options: { dynamicVariableId: 'vL' } },
  text: { type: 'text input' },
  condition: {
    type: 'Condition',
    items: [{ id: 'i', content: { comparisons: [comparison('Contains'), comparison('Equal to')] } }],
  },
} satisfies Record<string, Json>

function comparison(comparisonOperator: string): Json {
  return { id: comparisonOperator, variableId: 'vL', comparisonOperator, value: 'å{{L}}' }
}

const run = fc.record({
  mark: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('\u0301', '\u0316') },
    { weight: 1, arbitrary: fc.constantFrom(...marks) },
  ),
  times: fc.constantFrom(8_190, 30_000, 100, 30_000),
})

/** As long as one message may be, and a value that comes with a start. */
const mostSaid = 16_384
const mostPrefilled = 65_536

/** All runs, each as long as the others leave it room. */
function textOf(runs: Marks['runs'], most: number): string {
  const room = Math.floor((most - 1) / runs.length)
  return `a${runs.map(({ mark, times }) => mark.repeat(Math.min(times, Math.floor(room / mark.length)))).join('')}`
}

/** Texts whose normal form takes long to find: runs of combining marks, in and out of order. */
export const marksClass: AttackClass<Marks> = {
  parameters: fc.record({
    runs: fc.array(run, { minLength: 2, maxLength: 3 }),
    asks: fc.constantFrom<keyof typeof asking>(
      'dynamic',
      'choices',
      'dynamic',
      ...(Object.keys(asking) as (keyof typeof asking)[]),
    ),
    isPrefilled: fc.boolean(),
  }),
  play({ runs, asks, isPrefilled }, tried) {
    const text = textOf(runs, mostPrefilled)
    const definition = { variables: [variable('L')], blocks: [{ id: 'asks', ...asking[asks] }] }
    const values = { L: isPrefilled ? [text, `${text}b`] : ['a', 'b'] }
    const start = previewed(definition, { prefilledVariables: values })
    return playCalls([start, replied(textOf(runs, mostSaid))], tried)
  },
}
