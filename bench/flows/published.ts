import { bubble, setVariable, textInput, variable } from '../../test/fixtures/short-flows.ts'
import { wholeDefinition } from '../../test/support/conformance.ts'
import type { Json } from '../../test/support/json.ts'

const theme: Json = {
  general: {
    font: { type: 'Google', family: 'Inter' },
    background: { type: 'Color', content: '#ffffff' },
    progressBar: { isEnabled: true, color: '#0f766e', backgroundColor: '#e5e7eb', placement: 'Top' },
  },
  chat: {
    hostAvatar: { isEnabled: true, url: 'https://assets.example/avatars/host.png' },
    hostBubbles: { backgroundColor: '#f5f5f4', color: '#1c1917' },
    guestBubbles: { backgroundColor: '#0f766e', color: '#ffffff' },
    buttons: { backgroundColor: '#0f766e', color: '#ffffff', border: { roundeness: 'large' } },
    inputs: { backgroundColor: '#ffffff', color: '#1c1917', placeholderColor: '#a8a29e' },
  },
}

const settings: Json = {
  general: { isInputPrefillEnabled: true, systemMessages: { invalidMessage: 'Could you try again?' } },
  typingEmulation: { enabled: true, speed: 400, maxDelay: 2, delayBetweenBubbles: 0.3 },
  metadata: { title: 'Ask for an offer', description: 'Tell us about your project in two minutes.' },
}

const paragraph = (text: string) => ({ type: 'p', children: [{ text }] })

const image: Json = {
  id: 'logo',
  type: 'image',
  content: {
    url: 'https://assets.example/logo.png',
    clickLink: { url: 'https://shop.example', alt: 'Shop' },
  },
}

const welcome: Json = {
  id: 'welcome',
  type: 'text',
  content: {
    richText: [
      paragraph('Hi, nice of you to drop by!'),
      {
        type: 'p',
        children: [
          { text: 'Two minutes, and we get back to you ' },
          { text: 'within one working day', bold: true },
          { text: '. Here is ' },
          { type: 'a', url: 'https://shop.example/work', children: [{ text: 'what we did lately' }] },
          { text: '.' },
        ],
      },
    ],
  },
}

const question: Json = {
  ...textInput('name', 'vName'),
  options: { variableId: 'vName', labels: { placeholder: 'Your name', button: 'Go on' } },
}

/** A published flow under its own id. */
function published(id: string, more: Json): Json {
  return wholeDefinition({ id, publicId: id, theme, settings, ...more })
}

/** Says three things and asks one, the same to everybody. */
export const staticFlow = published('static', {
  blocks: [image, welcome, bubble('first', 'What shall we call you?'), question],
  variables: [variable('Name')],
})

const personal = [
  bubble('hello', 'Hello {{Name}} of {{Company}}, good to see you again.'),
  bubble('plan', 'Your plan is {{Plan}}. You came from {{Source}}.'),
]

const personalVariables = [
  variable('Name'),
  variable('Company'),
  variable('Plan', { value: 'Basic' }),
  variable('Source', { value: 'the website' }),
  variable('Score', { value: '41' }),
]

/** What the flows with variables are started with. */
export const prefilled = { prefilledVariables: { Name: 'Ada Lovelace', Company: 'Analytical Engines' } }

/** Fills variables in. */
export const variablesFlow = published('variables', {
  blocks: [image, ...personal, question],
  variables: personalVariables,
})

const assignment = setVariable('upgrade', 'vPlan', { expressionToEvaluate: 'Premium' })

/** Chooses by a condition, and assigns. */
const decision = (more: readonly Json[] = []) => ({
  groups: [
    {
      id: 'g1',
      title: 'Choose',
      blocks: [
        image,
        {
          id: 'whether',
          type: 'Condition',
          items: [
            {
              id: 'known',
              outgoingEdgeId: 'e-known',
              content: {
                logicalOperator: 'AND',
                comparisons: [
                  { id: 'c1', variableId: 'vName', comparisonOperator: 'Is set' },
                  { id: 'c2', variableId: 'vScore', comparisonOperator: 'Greater than', value: '40' },
                ],
              },
            },
          ],
        },
        bubble('stranger', 'Hello stranger.'),
      ],
    },
    { id: 'g2', title: 'Known', blocks: [assignment, ...more, ...personal, question] },
  ],
  edges: [{ id: 'e-known', to: { groupId: 'g2' } }],
  variables: personalVariables,
})

export const decisionFlow = published('decision', decision())

/** The same, and hands a script to the browser. */
export const clientScriptFlow = published(
  'client-script',
  decision([
    {
      id: 'track',
      type: 'Code',
      options: {
        name: 'Track',
        content: "window.dispatchEvent(new CustomEvent('greeted', { detail: {{Name}} }))",
        isExecutedOnClient: true,
      },
    },
  ]),
)

/** The same, and computes by an expression that the engine evaluates itself. */
export const expressionFlow = published(
  'expression',
  decision([setVariable('count', 'vScore', { expressionToEvaluate: '{{Score}} + 1', isCode: true })]),
)

/** The same, and computes by a program that needs the sandbox. */
export const javascriptFlow = published(
  'javascript',
  decision([
    setVariable('count', 'vScore', {
      expressionToEvaluate:
        'let sum = 0; for (const letter of {{Name}}) sum += letter.charCodeAt(0); return sum',
      isCode: true,
    }),
  ]),
)

/** Asks for ever, and repeats what is said. */
export const loopFlow = published('loop', {
  groups: [
    {
      id: 'g1',
      title: 'Ask',
      blocks: [question, { ...bubble('said', 'Nice to meet you, {{Name}}.'), outgoingEdgeId: 'e-again' }],
    },
  ],
  edges: [{ id: 'e-again', to: { groupId: 'g1' } }],
  variables: [variable('Name')],
})
