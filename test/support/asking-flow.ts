import fc from 'fast-check'
import type { Json } from './json.ts'

const word = fc.constantFrom(
  'Red',
  'Blue',
  '1',
  '2',
  'A label that is too long for any button',
  'é',
  '*x*',
  'Red',
)
const labels = fc.array(word, { minLength: 1, maxLength: 13 })
const text = fc.constantFrom('Hello', 'Which?', 'You said {{Said}}', '{{Said}}', 'x'.repeat(4200), '_a_ *b*')
const picture = fc.constantFrom('https://a.example/p.png', 'https://a.example/p.webp', '')
const options = fc.record(
  {
    variableId: fc.constantFrom('said', 'other'),
    isMultipleChoice: fc.boolean(),
    isMultipleAllowed: fc.boolean(),
    isRequired: fc.boolean(),
    isRange: fc.boolean(),
    hasTime: fc.boolean(),
    isLong: fc.boolean(),
    length: fc.integer({ min: 1, max: 12 }),
    buttonType: fc.constantFrom('Icons', 'Numbers'),
    attachments: fc.record({ isEnabled: fc.boolean() }),
    labels: fc.record({ placeholder: fc.constantFrom('Your name', 'Hello') }),
  },
  { requiredKeys: [] },
)

const bubble = fc.oneof(
  text.map((said) => ({ type: 'text', content: { richText: [{ type: 'p', children: [{ text: said }] }] } })),
  picture.map((url) => ({ type: 'image', content: { url } })),
  fc.constant({ type: 'embed', content: { url: 'https://a.example', waitForEvent: { isEnabled: true } } }),
)
const logic = fc.constantFrom(
  { type: 'Set variable', options: { variableId: 'other', type: 'Transcript' } },
  {
    type: 'Set variable',
    options: {
      variableId: 'said',
      isCode: true,
      isExecutedOnClient: true,
      expressionToEvaluate: 'return 1',
    },
  },
  { type: 'Wait', options: { secondsToWaitFor: '2', shouldPause: true } },
  { type: 'Redirect', options: { url: 'https://a.example' } },
)
const typed = fc
  .constantFrom(
    ...['text input', 'number input', 'email input', 'url input', 'phone number input'],
    ...['date input', 'time input', 'file input', 'rating input'],
  )
  .chain((type) => options.map((given) => ({ type, options: given })))
const choice = fc.tuple(labels, options).map(([contents, given]) => ({
  type: 'choice input',
  items: contents.map((content, index) => ({ id: `i${index}`, content })),
  options: given,
}))
const pictures = fc.tuple(labels, picture, options).map(([titles, pictureSrc, given]) => ({
  type: 'picture choice input',
  items: titles.map((title, index) => ({ id: `i${index}`, title, pictureSrc })),
  options: given,
}))
const cards = fc.tuple(labels, fc.integer({ min: 0, max: 4 }), picture).map(([titles, count, imageUrl]) => ({
  type: 'cards',
  items: titles.map((title, index) => ({
    id: `c${index}`,
    title: `${title} ${index}`,
    imageUrl,
    paths: Array.from({ length: count }, (_, nth) => ({ id: `p${index}-${nth}`, text: `Path ${nth}` })),
  })),
}))
const input = fc.oneof(typed, typed, choice, pictures, cards)

/** Flows that lead from question to question, with all that may stand between them. */
export const askingFlow = fc
  .array(fc.oneof(bubble, bubble, input, input, logic), { minLength: 1, maxLength: 12 })
  .map(
    (blocks): Json => ({
      version: '6.1',
      id: 'flow',
      events: [{ id: 'start', type: 'start', outgoingEdgeId: 'e' }],
      edges: [{ id: 'e', to: { groupId: 'g' } }],
      groups: [
        { id: 'g', title: 'Group', blocks: blocks.map((block, index) => ({ id: `b${index}`, ...block })) },
      ],
      variables: [
        { id: 'said', name: 'Said' },
        { id: 'other', name: 'Other' },
      ],
      settings: {},
      theme: {},
    }),
  )
