import fc from 'fast-check'
import { bubble, setVariable, textInput, variable } from '../../../fixtures/short-flows.ts'
import type { Json } from '../../../support/json.ts'
import type { Answer } from '../exchange.ts'
import { Complaint } from '../judge.ts'
import { playCalls } from '../play.ts'
import { type AttackClass, previewed, replied } from './attack-class.ts'

/** The first is what a visitor says; only who runs it comes to the second. */
const canary = '(9973*9967)'
const sung = String(9973 * 9967)

interface SaidCode {
  readonly said: readonly string[]
  readonly into: keyof typeof holders
  readonly isPrefilled: boolean
}

const code = (content: string, isExecutedOnClient = false): Json => ({
  id: 'c',
  type: 'Code',
  options: { content, isExecutedOnClient },
})
const expression = (text: string) => setVariable('s', 'vT', text)

/** What an author does with the words of a visitor. */
const holders = {
  'a value': expression('{{V}}'),
  'a quoted value': expression('"{{V}}"'),
  'inline code in quotes': expression('"Hello {{= {{V}}.trim() =}}"'),
  'inline code in single quotes': expression("'Hello {{= {{V}} =}}' + 1"),
  'inline code alone': expression('{{={{V}}=}}'),
  'inline code in a template': expression('`${ {{V}} } {{= {{V}} =}}`'),
  'a sum': expression('1 + {{V}} + 2'),
  'a list': expression('[{{V}}, "{{V}}"].join()'),
  'a comment': expression('/* {{V}} */ 1 // {{V}}'),
  'a key': expression('({ "{{V}}": 1, a: {{V}} })["a"]'),
  code: code('setVariable("T", {{V}})'),
  'code in quotes': code('setVariable("T", "{{V}}" + "{{= {{V}} =}}")'),
  'code that waits': code('await 1; setVariable("T", `{{= {{V}}.length =}} {{V}}`)'),
  'a script': code('say("{{= {{V}} =}}", {{V}})', true),
  'a text': bubble('t', '{{= {{V}} =}} {{V}}'),
} satisfies Record<string, Json>

const pieces = fc.constantFrom(
  canary,
  `" + ${canary} + "`,
  `' + ${canary} + '`,
  `\${${canary}}`,
  `{{=${canary}=}}`,
  `{{= {{V}} =}}`,
  `setVariable("T", ${canary})`,
  '"',
  "'",
  '`',
  '\\',
  '\n',
  '\u2028',
  '*/',
  '//',
  '}}',
  '{{',
  '=}}',
  ');',
  '${',
  '}',
  ' ',
)

/** Words of a visitor that would come to a number if anybody ran them. */
export const saidCode: AttackClass<SaidCode> = {
  parameters: fc.record({
    said: fc.array(pieces, { minLength: 1, maxLength: 5 }),
    into: fc.constantFrom(...(Object.keys(holders) as (keyof typeof holders)[])),
    isPrefilled: fc.boolean(),
  }),
  play({ said, into, isPrefilled }, tried) {
    const V = said.join('')
    const asked = isPrefilled ? [] : [textInput('i', 'vV')]
    const blocks = [...asked, holders[into], bubble('told', '{{T}}'), textInput('end')]
    const definition = { variables: [variable('V'), variable('T')], blocks }
    const calls = isPrefilled
      ? [previewed(definition, { prefilledVariables: { V } })]
      : [previewed(definition), replied(V)]
    const onAnswer = (answer: Answer) => {
      tried.onAnswer(answer)
      judgeSong(answer)
    }
    return playCalls(calls, { ...tried, onAnswer })
  },
}

function judgeSong({ body }: Answer): void {
  const text = body.toString()
  if (text.includes(sung)) throw new Complaint(`what a visitor said was run: ${text}`, { about: 'code' })
  const { clientSideActions = [] } = text.startsWith('{') ? JSON.parse(text) : {}
  for (const { scriptToExecute } of clientSideActions) {
    if (scriptToExecute?.content?.includes(canary)) {
      throw new Complaint(`what a visitor said stands in a script: ${text}`, { about: 'code' })
    }
  }
}
