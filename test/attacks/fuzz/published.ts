import { bubble, setVariable, textInput, variable } from '../../fixtures/short-flows.ts'
import { readConformanceFiles, wholeDefinition } from '../../support/conformance.ts'
import type { Json } from '../../support/json.ts'
import { sampleFlows } from './arbitraries/corpus.ts'

/** Repeats what is said, behind all that was said before. */
const witness = wholeDefinition({
  id: 'witness',
  blocks: [
    textInput('said', 'vSaid'),
    setVariable('collect', 'vAll', { type: 'Append value(s)', item: '{{Said}}' }),
    bubble('shown', '{{All}}'),
    { id: 'again', type: 'Jump', options: { groupId: 'g1' } },
  ],
  variables: [variable('Said'), variable('All')],
})

const asked = (type: string, options: Json = {}, more: Json = {}): Json => ({
  id: type.replaceAll(' ', '-'),
  type,
  options: { variableId: 'vAnswer', ...options },
  ...more,
})

/** Asks for everything that can be asked for, again and again. */
const everyInput = wholeDefinition({
  id: 'every-input',
  groups: [
    {
      id: 'g1',
      title: 'All',
      blocks: [
        asked('text input', {
          attachments: { isEnabled: true },
          audioClip: { isEnabled: true },
        }),
        asked('number input', { min: '{{Least}}', max: 1e6, step: 0.5 }),
        asked('email input', { retryMessageContent: '{{Answer}}?' }),
        asked('url input'),
        asked('phone number input', { defaultCountryCode: 'DE' }),
        asked('date input', { hasTime: true, isRange: true, min: '2020-01-01', max: '{{Answer}}' }),
        asked('time input'),
        asked('rating input', { length: 5 }),
        asked(
          'choice input',
          { isMultipleChoice: true },
          {
            items: [
              { id: 'a', content: 'A' },
              { id: 'b', content: 'B, {{Answer}}' },
            ],
          },
        ),
        {
          ...asked('choice input'),
          id: 'one',
          items: [
            { id: 'c', content: '{{Answer}}', outgoingEdgeId: 'e-g1' },
            { id: 'd', content: 'D' },
          ],
        },
        asked(
          'picture choice input',
          {},
          {
            items: [
              { id: 'p', title: 'P', pictureSrc: '{{Answer}}' },
              { id: 'q', title: 'Q' },
            ],
          },
        ),
        asked(
          'cards',
          {},
          {
            items: [
              {
                id: 'card',
                title: 'T',
                paths: [
                  { id: 'x', text: 'X' },
                  { id: 'y', text: '{{Answer}}', outgoingEdgeId: 'e-g1' },
                ],
              },
            ],
          },
        ),
        asked('file input', { isMultipleAllowed: true, visibility: 'Private' }),
        { ...asked('file input', { isRequired: false }), id: 'open-file' },
        asked('payment input'),
        {
          id: 'listener',
          type: 'webhook',
          options: { responseVariableMapping: [{ id: 'm', variableId: 'vAnswer', bodyPath: 'data' }] },
        },
        setVariable('client', 'vAnswer', {
          isExecutedOnClient: true,
          expressionToEvaluate: 'return {{Answer}}',
        }),
        bubble('told', '{{Answer}} **{{Contact}}** {{Heard}}'),
        { id: 'again', type: 'Jump', options: { groupId: 'g1' } },
      ],
    },
    { id: 'g2', title: 'Heard', blocks: [bubble('heard', '{{Heard}}'), { id: 'back', type: 'Return' }] },
  ],
  edges: [
    { id: 'e-start', to: { groupId: 'g1' } },
    { id: 'e-g1', to: { groupId: 'g1' } },
    { id: 'e-g2', to: { groupId: 'g2' } },
  ],
  events: [
    { id: 'start', type: 'start', outgoingEdgeId: 'e-start' },
    { id: 'help', type: 'command', outgoingEdgeId: 'e-g2', options: { command: 'help' } },
    { id: 'refused', type: 'invalidReply', outgoingEdgeId: 'e-g2', options: { contentVariableId: 'vHeard' } },
  ],
  variables: [variable('Answer'), variable('Least', { value: '1' }), variable('Contact'), variable('Heard')],
  settings: {
    general: {
      rememberUser: { isEnabled: true },
      mcp: { description: 'Asks for everything', arguments: { Answer: 'Anything' } },
    },
    metadata: { customHeadCode: '<meta name="{{Answer}}">' },
  },
  theme: { general: { progressBar: { isEnabled: true } }, chat: { hostAvatar: { url: '{{Answer}}' } } },
})

const linked = readConformanceFiles().flatMap(({ cases }) =>
  cases.flatMap((testCase) => testCase.linked ?? []),
)

/** What the service is to publish while it is tried, by file name. */
export const publishedFlows: Readonly<Record<string, Json>> = Object.fromEntries([
  ...linked.map((definition) => [`linked-${definition['id']}`, definition] as const),
  ...sampleFlows,
  ['every-input', everyInput],
  ['witness', witness],
])
