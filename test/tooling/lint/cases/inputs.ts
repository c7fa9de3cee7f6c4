import { bubble, setVariable, textInput, variable } from '../../../fixtures/short-flows.ts'
import type { Json } from '../../../support/json.ts'
import type { RuleCase } from './rule-case.ts'

const at = (index: number) => `/groups/0/blocks/${index}`
const variables = [variable('A')]
const input = (type: string, options: Json) => ({ variables, blocks: [{ id: 'i', type, options }] })
const compare = (comparisonOperator: string, value?: string) => ({
  id: 'q',
  variableId: 'vA',
  comparisonOperator,
  value,
})
const condition = (logicalOperator: string, ...comparisons: Json[]) => ({
  id: 'c',
  type: 'Condition',
  items: [{ id: 'i', content: { logicalOperator, comparisons } }],
})
const deciding = (logicalOperator: string, ...comparisons: Json[]) => ({
  variables,
  blocks: [textInput('t', 'vA'), condition(logicalOperator, ...comparisons)],
})
const content = `${at(1)}/items/0/content`
const offering = (items: Json[], options: Json = {}) => ({
  id: 'b',
  type: 'choice input',
  items: items.map((item, index) => ({ id: `b${index}`, ...item })),
  options: { variableId: 'vA', ...options },
})
const asking = (value: string, items: Json[], options: Json = {}) => ({
  variables,
  blocks: [offering(items, options), condition('AND', compare('Equal to', value))],
})
const choices = (...items: Json[]) => ({ variables, blocks: [offering(items)] })
const refusing = [
  { id: 's', type: 'start', outgoingEdgeId: 'e-start' },
  { id: 'n', type: 'invalidReply', outgoingEdgeId: 'e-start' },
]
const patterns = (count: number) => Array.from({ length: count }, () => compare('Matches regex', '/a+/'))
const words = { general: { systemMessages: { invalidMessage: 'Noch einmal, bitte' } } }

export const inputs: readonly RuleCase[] = [
  {
    code: 'invalid-option',
    finds: [
      [input('date input', { format: 'nope!n' }), `${at(0)}/options/format`],
      [
        { blocks: [bubble('a')], settings: { security: { allowedOrigins: ['https://a.example/shop'] } } },
        '/settings/security/allowedOrigins/0',
      ],
    ],
    spares: [
      input('date input', { format: 'dd/MM/yyyy' }),
      { blocks: [bubble('a')], settings: { security: { allowedOrigins: ['https://a.example'] } } },
    ],
  },
  {
    code: 'invalid-pattern',
    finds: [[deciding('AND', compare('Matches regex', '/(/')), `${content}/comparisons/0/value`]],
    spares: [deciding('AND', compare('Matches regex', '/(a)/'))],
  },
  {
    code: 'slow-pattern',
    finds: [
      [deciding('AND', compare('Matches regex', '/(?=a)b/')), `${content}/comparisons/0/value`],
      [
        deciding('AND', ...patterns(19), compare('Does not match regex', '/(?=a)b/')),
        `${content}/comparisons/19/value`,
      ],
    ],
    spares: [
      deciding('AND', ...patterns(20), compare('Matches regex', '/(?=a)b/')),
      deciding('AND', compare('Equal to', '/(?=a)b/'), compare('Matches regex', '/(?=a){{A}}/')),
      deciding('AND', compare('Matches regex', '/a+b/')),
      deciding('AND', compare('Matches regex', '/(/')),
    ],
  },
  {
    code: 'bad-range',
    finds: [
      [input('number input', { min: 5, max: '3' }), `${at(0)}/options/min`],
      [input('number input', { step: 0 }), `${at(0)}/options/step`],
      [input('number input', { min: '2,5', max: 2.4 }), `${at(0)}/options/min`],
      [input('rating input', { startsAt: 11 }), `${at(0)}/options/length`],
      [input('rating input', { length: 0, buttonType: 'Icons' }), `${at(0)}/options/length`],
      [input('date input', { min: '2026-05-01T10:01', max: '2026-05-01T10:00' }), `${at(0)}/options/min`],
      [input('rating input', { length: 3, startsAt: '5' }), `${at(0)}/options/length`],
      [input('date input', { min: '2026-05-01', max: '2026-04-01' }), `${at(0)}/options/min`],
    ],
    spares: [
      input('number input', { min: 3, max: '3', step: 0.1 }),
      input('number input', { min: '{{A}}', max: 1 }),
      input('rating input', { startsAt: 10 }),
      input('rating input', { length: 0 }),
      input('rating input', { length: 1, buttonType: 'Icons' }),
      input('date input', { min: '2026-05-01', max: '2026-05-01' }),
      input('date input', { min: '2026-05-01' }),
      input('date input', { min: 'x', max: '2026-05-01' }),
      input('number input', { min: 3, max: '{{A}}', step: 0.5 }),
      input('number input', { min: 3, max: 3 }),
      input('rating input', { length: 5 }),
      input('date input', { min: '2026-04-01', max: '{{A}}' }),
    ],
  },
  {
    code: 'never-true',
    finds: [
      [deciding('AND'), content],
      [deciding('AND', { id: 'q', variableId: 'vA' }), content],
      [deciding('AND', compare('Equal to', 'a'), compare('Equal to', 'b')), content],
      [deciding('AND', compare('Is set'), compare('Is empty')), content],
      [deciding('OR', { id: 'q' }), content],
      [
        choices({ content: 'a', displayCondition: { isEnabled: true, condition: { comparisons: [] } } }),
        `${at(0)}/items/0/displayCondition/condition`,
      ],
    ],
    spares: [
      deciding('AND', compare('Equal to', 'a')),
      deciding('OR', compare('Equal to', 'a'), compare('Equal to', 'b')),
      deciding('OR', { id: 'q' }, compare('Equal to', 'b')),
      deciding('AND', compare('Equal to', '{{A}}'), compare('Equal to', 'b')),
      choices({ content: 'a', displayCondition: { isEnabled: false, condition: { comparisons: [] } } }),
    ],
  },
  {
    code: 'always-true',
    finds: [
      [deciding('OR', compare('Is set'), compare('Is empty')), content],
      [deciding('OR', compare('Not equal', 'a'), compare('Equal to', 'a')), content],
      ...[
        condition('AND', compare('Is set')),
        condition('OR', compare('Is set'), compare('Equal to', 'y')),
        condition('AND', compare('Is set'), compare('Is set')),
      ].map((block): readonly [Json, string] => [
        { variables: [variable('A', { value: 'x' })], blocks: [bubble('a'), block] },
        content,
      ]),
      [deciding('OR', compare('Contains', 'a'), compare('Does not contain', 'a')), content],
    ],
    spares: [
      ...['', null, undefined].map((value) => ({
        variables: [variable('A', { value })],
        blocks: [bubble('a'), condition('AND', compare('Is set'))],
      })),
      {
        variables: [variable('A', { value: 'x' })],
        blocks: [bubble('a'), condition('AND', compare('Is set'), compare('Equal to', 'y'))],
      },
      deciding('AND'),
      deciding('OR'),
      deciding('AND', compare('Is set'), compare('Is empty')),
      deciding('OR', compare('Is set'), { ...compare('Is empty'), variableId: 'vB' }),
      deciding('OR', compare('Not equal', '{{= 1 =}}'), compare('Equal to', '{{= 1 =}}')),
      deciding('AND', compare('Is set')),
      deciding('OR', compare('Not equal', 'a'), compare('Equal to', 'b')),
      {
        variables: [variable('A', { value: 'x' })],
        blocks: [textInput('t', 'vA'), condition('AND', compare('Is set'))],
      },
    ],
  },
  {
    code: 'size-of-words',
    finds: [
      ...['Greater than', 'Less than', 'Greater or equal to', 'Less or equal to'].map(
        (operator) => [deciding('AND', compare(operator, 'six')), `${content}/comparisons/0/value`] as const,
      ),
      [deciding('AND', compare('Greater than', '12 kg')), `${content}/comparisons/0/value`],
      [deciding('OR', compare('Is set'), compare('Less than', '+49')), `${content}/comparisons/1/value`],
    ],
    spares: ['6', '-1', '1,5', '1e3', '2026-11-21', '2026-11-21T10:00', '2026', '{{A}}', ' ', undefined].map(
      (value) => deciding('AND', compare('Greater than', value), compare('Equal to', 'six')),
    ),
  },
  {
    code: 'value-never-offered',
    finds: [
      [asking('An order', [{ content: 'An order ' }]), `${content}/comparisons/0/value`],
      [asking('Red', [{ content: 'Red', value: 'r' }]), `${content}/comparisons/0/value`],
    ],
    spares: [
      asking('An order', [{ content: 'An order' }]),
      asking('r', [{ content: 'Red', value: 'r' }]),
      asking('Red', [{ content: '{{A}}' }]),
      asking('Red', [{ content: 'Blue' }], { isMultipleChoice: true }),
      {
        variables,
        blocks: [
          offering([{ content: 'Blue' }]),
          setVariable('s', 'vA', 'x'),
          condition('AND', compare('Equal to', 'x')),
        ],
      },
    ],
  },
  {
    code: 'duplicate-choice',
    finds: [
      [choices({ content: 'a' }, { content: 'a' }), `${at(0)}/items/1`],
      [choices({ content: 'a', value: 'b' }, { content: 'b' }), `${at(0)}/items/1`],
    ],
    spares: [
      choices({ content: 'a' }, { content: 'b' }),
      choices({ content: 'a', value: '1' }, { content: 'a', value: '2' }),
      choices({ content: 'a' }, { content: 'a', displayCondition: { isEnabled: true } }),
    ],
  },
  {
    code: 'empty-choice',
    finds: [
      [choices(), at(0)],
      [choices({ content: 'a' }, { content: '' }), `${at(0)}/items/1`],
      [{ blocks: [{ id: 'p', type: 'picture choice input', items: [{ id: 'x' }] }] }, `${at(0)}/items/0`],
      [{ blocks: [{ id: 'p', type: 'cards', items: [{ id: 'x' }] }] }, `${at(0)}/items/0`],
    ],
    spares: [
      choices({ content: 'a' }),
      { variables, blocks: [offering([], { dynamicVariableId: 'vA' })] },
      ...[
        { title: 'A' },
        { imageUrl: 'https://a.example' },
        { description: 'A' },
        { paths: [{ id: 'w' }] },
      ].map((item) => ({ blocks: [{ id: 'p', type: 'cards', items: [{ id: 'x', ...item }] }] })),
      ...[{ title: 'A' }, { pictureSrc: 'https://a.example' }].map((item) => ({
        blocks: [{ id: 'p', type: 'picture choice input', items: [{ id: 'x', ...item }] }],
      })),
    ],
  },
  {
    code: 'retry-says-nothing',
    finds: [
      [input('email input', {}), at(0)],
      [input('number input', {}), at(0)],
      [
        {
          variables,
          blocks: ['text', 'number', 'time'].map((kind) => ({ id: kind, type: `${kind} input` })),
        },
        at(1),
      ],
    ],
    spares: [
      input('email input', { retryMessageContent: 'Noch einmal' }),
      input('rating input', {}),
      { ...input('number input', {}), events: refusing },
      { ...input('number input', {}), settings: words },
      input('text input', {}),
    ],
  },
]
