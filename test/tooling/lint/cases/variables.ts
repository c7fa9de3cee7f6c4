import {
  bubble,
  edge,
  flowLink,
  group,
  leaving,
  setVariable,
  textInput,
  variable,
} from '../../../fixtures/short-flows.ts'
import type { Json } from '../../../support/json.ts'
import type { RuleCase } from './rule-case.ts'

const at = (index: number) => `/groups/0/blocks/${index}`
const text = (index: number) => `${at(index)}/content/richText/0/children/0/text`
const name = { variables: [variable('Name')] }
const listing = (dynamicVariableId: string) => ({
  id: 'c',
  type: 'choice input',
  items: [],
  options: { dynamicVariableId },
})
const answering = (type: string, ...variableIds: string[]): Json => ({
  id: 'a',
  type,
  options: { responseMapping: variableIds.map((variableId) => ({ variableId })) },
})
const replyEvent = (contentVariableId: string): Json[] => [
  { id: 's', type: 'start', outgoingEdgeId: 'e-start' },
  { id: 'r', type: 'reply', outgoingEdgeId: 'e-start', options: { contentVariableId } },
]
const reading = (...bodyPaths: string[]): Json => ({
  id: 'w',
  type: 'Webhook',
  options: {
    isCustomBody: true,
    webhook: { url: 'https://a.example' },
    responseVariableMapping: bodyPaths.map((bodyPath, index) => ({
      id: `${index}`,
      variableId: 'vName',
      bodyPath,
    })),
  },
})
const server = (content: string) => ({
  id: 'k',
  type: 'Code',
  options: { content, isExecutedOnClient: false },
})

const keeping = (retention: Json, sensitivity?: string): Json => ({
  blocks: [bubble('a')],
  settings: { general: { retention } },
  variables: [variable('Email', sensitivity === undefined ? {} : { sensitivity })],
})

export const variables: readonly RuleCase[] = [
  {
    code: 'set-without-variable',
    finds: [
      [
        { ...name, blocks: [{ id: 's', type: 'Set variable', options: { expressionToEvaluate: '1' } }] },
        at(0),
      ],
    ],
    spares: [{ ...name, blocks: [setVariable('s', 'vName', '1')] }],
  },
  {
    code: 'duplicate-variable-name',
    finds: [
      [{ blocks: [bubble('a')], variables: [variable('A'), { id: 'w', name: 'A' }] }, '/variables/1/name'],
    ],
    spares: [{ blocks: [bubble('a')], variables: [variable('A'), variable('a')] }],
  },
  {
    code: 'unknown-variable',
    finds: [
      [{ ...name, blocks: [bubble('a', 'Hello {{name}}')] }, text(0)],
      [{ ...name, blocks: [setVariable('s', 'gone', '1')] }, `${at(0)}/options/variableId`],
      [{ ...name, blocks: [textInput('i', 'Name')] }, `${at(0)}/options/variableId`],
      [{ ...name, blocks: [bubble('a')], events: replyEvent('gone') }, '/events/1/options/contentVariableId'],
    ],
    spares: [
      { ...name, blocks: [bubble('a', 'Hello {{Name}}')] },
      { ...name, blocks: [textInput('i', 'vName'), textInput('j'), textInput('k', '')] },
      { ...name, blocks: [{ ...textInput('i'), options: { editorVariableId: 'gone' } }] },
      { ...name, blocks: [{ id: 'u', type: 'of an editor', options: { variableId: 'gone' } }] },
      { ...name, blocks: [bubble('a')], events: replyEvent('vName') },
      { version: '5', groups: [group('g1', bubble('a'))], events: replyEvent('gone') },
    ],
  },
  {
    code: 'broken-placeholder',
    finds: [
      [{ ...name, blocks: [bubble('a', 'Hello {Name}')] }, text(0)],
      [{ ...name, blocks: [bubble('a', 'Hello {{Name}')] }, text(0)],
      [{ ...name, blocks: [bubble('a', 'Hello {Name}}')] }, text(0)],
      [{ ...name, blocks: [bubble('a', 'Hello { {Name} }')] }, text(0)],
      [{ ...name, blocks: [bubble('a', 'Hello {{vName}}')] }, text(0)],
      [{ ...name, blocks: [bubble('a', `{Name}${'x'.repeat(19_994)}`)] }, text(0)],
    ],
    spares: [
      { ...name, blocks: [bubble('a', 'Hello {{Name}} and {{{Name}}}')] },
      { ...name, blocks: [bubble('a', 'A set {a, b}, and {nobody}')] },
      { ...name, blocks: [bubble('a', `{Name}${'x'.repeat(19_995)}`)] },
      { ...name, blocks: [server('const a = {Name}')] },
    ],
  },
  {
    code: 'read-before-write',
    finds: [[{ ...name, blocks: [bubble('a', 'Hello {{Name}}'), textInput('i', 'vName')] }, text(0)]],
    spares: [
      { ...name, blocks: [textInput('i', 'vName'), bubble('a', 'Hello {{Name}}')] },
      {
        variables: [variable('Name', { value: 'you' })],
        blocks: [bubble('a', 'Hello {{Name}}'), textInput('i', 'vName')],
      },
      { ...name, blocks: [bubble('a', 'Hello {{Name}}')] },
      {
        ...name,
        blocks: [bubble('a', '{{Name}}'), leaving(textInput('i', 'vName'), 'e')],
        edges: [edge('e', 'g1')],
      },
      { ...name, blocks: [flowLink('l', 'other'), bubble('a', '{{Name}}'), textInput('i', 'vName')] },
      { ...name, blocks: [setVariable('s', 'vName', '{{Name}} + 1')] },
    ],
  },
  {
    code: 'unused-variable',
    finds: [
      [{ ...name, blocks: [bubble('a')] }, '/variables/0'],
      [{ ...name, blocks: [setVariable('s', 'vName', '1')] }, '/variables/0'],
    ],
    spares: [
      { ...name, blocks: [bubble('a', '{{Name}}')] },
      { ...name, blocks: [textInput('i', 'vName')] },
      { ...name, blocks: [bubble('a', '{{= {{Name}}.trim() =}}')] },
      { ...name, blocks: [bubble('a')], theme: { general: { background: { content: '{{Name}}' } } } },
      { ...name, blocks: [{ id: 'w', type: 'Webhook', options: { webhook: { url: 'https://a.example' } } }] },
      { ...name, blocks: [server("setVariable(which, 'x')")] },
    ],
  },
  {
    code: 'mapping-overwritten',
    finds: [
      [{ ...name, blocks: [reading('data.a', 'data.b')] }, `${at(0)}/options/responseVariableMapping/1`],
      [
        { ...name, blocks: [{ ...reading('data.a', 'data.b'), type: 'webhook' }] },
        `${at(0)}/options/responseVariableMapping/1`,
      ],
      ...['nocodb', 'gmail', 'openai', 'OpenAI', 'dify-ai', 'blink', 'chat-node'].map(
        (type): readonly [Json, string] => [
          { ...name, blocks: [answering(type, 'vName', 'vName')] },
          `${at(0)}/options/responseMapping/1`,
        ],
      ),
    ],
    spares: [
      { ...name, blocks: [answering('nocodb', 'vName', 'vOther')] },
      { ...name, blocks: [answering('segment', 'vName', 'vName')] },
      { ...name, blocks: [reading('data.a')] },
      { ...name, blocks: [reading('data.a', '')] },
    ],
  },
  {
    code: 'dynamic-list-never-set',
    finds: [
      [{ ...name, blocks: [listing('vName')] }, `${at(0)}/options/dynamicVariableId`],
      [
        {
          ...name,
          blocks: [
            {
              id: 'p',
              type: 'picture choice input',
              items: [],
              options: { dynamicItems: { isEnabled: true, pictureSrcsVariableId: 'vName' } },
            },
          ],
        },
        `${at(0)}/options/dynamicItems/pictureSrcsVariableId`,
      ],
    ],
    spares: [
      { variables: [variable('Name', { value: ['a'] })], blocks: [listing('vName')] },
      { ...name, blocks: [reading('data.names'), listing('vName')] },
      { ...name, blocks: [server("setVariable('Name', [1])"), listing('vName')] },
    ],
  },
  {
    code: 'input-without-variable',
    finds: [[{ blocks: [textInput('i')] }, at(0)]],
    spares: [
      { ...name, blocks: [textInput('i', 'vName')] },
      {
        groups: [
          group('g1', {
            id: 'c',
            type: 'choice input',
            items: [{ id: 'i', content: 'A', outgoingEdgeId: 'e' }],
          }),
        ],
        edges: [edge('e', 'g1')],
      },
    ],
  },
  {
    code: 'sensitivity',
    finds: [
      [
        { blocks: [bubble('a')], variables: [variable('PIN', { sensitivity: 'secret', value: '1234' })] },
        '/variables/0/value',
      ],
      [
        { blocks: [bubble('a')], variables: [variable('PIN', { sensitivity: 'secret', scope: 'contact' })] },
        '/variables/0/scope',
      ],
      [keeping({ results: 'P7D', unfinished: 'P8D' }), '/settings/general/retention/unfinished'],
      [keeping({ results: 'P7D', personal: 'P8D' }, 'personal'), '/settings/general/retention/personal'],
      [keeping({ personal: 'P1D' }), '/settings/general/retention/personal'],
      [keeping({ secret: 'P1D' }, 'personal'), '/settings/general/retention/secret'],
    ],
    spares: [
      {
        blocks: [bubble('a')],
        variables: [variable('Email', { sensitivity: 'personal', scope: 'contact', value: null })],
      },
      keeping({ results: 'P7D', unfinished: 'P7D', personal: 'P1D' }, 'personal'),
      keeping({ secret: 'PT1H' }, 'secret'),
    ],
  },
]
