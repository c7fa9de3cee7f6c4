import { bubble, setVariable, textInput, variable } from '../../../fixtures/short-flows.ts'
import type { Json } from '../../../support/json.ts'
import { modelOf } from '../../../support/lint.ts'
import type { RuleCase } from './rule-case.ts'

const at = '/groups/0/blocks/0'
const variables = [variable('A')]
const block = (type: string, more: Json) => ({ variables, blocks: [{ id: 'b', type, ...more }] })
const longKey = `shouldPause${'x'.repeat(49)}`
const junk = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`z${index}`, index]))
const handWritten = (definition: Json) => ({ $schema: 'flow.schema.json', ...definition })
const one = { blocks: [bubble('a')] }
const wait = (secondsToWaitFor: string | number) => block('Wait', { options: { secondsToWaitFor } })
const head = (customHeadCode: string) => ({ ...one, settings: { metadata: { customHeadCode } } })
const offered = (mcp: Json) => ({ ...one, variables, settings: { general: { mcp } } })
const start = { id: 's', type: 'start', label: 'Start' }

const servedModel = modelOf({
  blocks: [
    ...[textInput('name'), bubble('hi'), { id: 'w', type: 'webhook' }, { id: 'r', type: 'Redirect' }],
    ...[
      { id: 'pause', type: 'Wait', options: { secondsToWaitFor: '1', shouldPause: true } },
      { id: 'go on', type: 'Wait', options: { secondsToWaitFor: '1' } },
      { id: 'if', type: 'Condition', items: [] },
      { id: 'jump', type: 'Jump', options: { groupId: 'g1' } },
    ],
  ],
})
const waiting = (...ids: string[]) => ({ blocks: [bubble('x'), ...ids.map((id) => textInput(id))] })

export const publication: readonly RuleCase[] = [
  {
    code: 'removes-waiting-block',
    surroundings: { served: servedModel },
    finds: [
      [waiting('w', 'pause'), '/groups'],
      [waiting(), '/groups', '/groups', '/groups'],
      [{ blocks: [bubble('name'), textInput('w'), textInput('pause')] }, '/groups'],
    ],
    spares: [waiting('name', 'w', 'pause')],
  },
  {
    code: 'offer-to-assistants',
    finds: [
      [offered({ arguments: { A: 'It' } }), '/settings/general/mcp'],
      [offered({ description: ' ' }), '/settings/general/mcp'],
      [
        offered({ description: 'Asks', arguments: { A: 'It', B: 'No', 'C/~': 'No' } }),
        '/settings/general/mcp/arguments/B',
        '/settings/general/mcp/arguments/C~1~0',
      ],
    ],
    spares: [offered({ description: 'Asks', arguments: { A: 'It' } }), offered({ description: 'Asks' }), one],
  },
  {
    code: 'unknown-key',
    finds: [
      [
        block('choice input', { items: [], options: { isMultiple: true, isMultipleChoise: true } }),
        `${at}/options/isMultiple`,
        `${at}/options/isMultipleChoise`,
      ],
      [block('choice input', { items: [{ id: 'i', contant: 'A' }] }), `${at}/items/0/contant`],
      [block('Wait', { option: { secondsToWaitFor: 1 } }), `${at}/option`],
      [block('Wait', { options: { sekondsToWaitFor: 1 } }), `${at}/options/sekondsToWaitFor`],
      [block('webhook', { options: { webhook: { url: 'https://a.example' } } }), `${at}/type`],
      [block('number input', { options: { stap: 1 } }), `${at}/options/stap`],
      [block('number input', { options: { currenxx: 1 } }), `${at}/options/currenxx`],
      [block('text', { contxxt: {} }), `${at}/contxxt`],
      [block('Wait', { options: { shouldPau: true } }), `${at}/options/shouldPau`],
      [block('Wait', { options: { [longKey]: true } }), `${at}/options/${longKey}`],
      [block('Wait', { options: { ...junk(499), sekondsToWaitFor: 1 } }), `${at}/options/sekondsToWaitFor`],
    ],
    spares: [
      { ...block('Wait', { option: {} }), $schema: 'flow.schema.json' },
      block('webhook', { options: { responseVariableMapping: [], note: 'x' } }),
      block('number input', { options: { ste: 1, maxx: 2, unzz: 3, lapelz: {} } }),
      block('Wait', { options: { shouldPa: true } }),
      block('Wait', { options: { [`${longKey}x`]: true } }),
      block('Wait', { options: { ...junk(500), sekondsToWaitFor: 1 } }),
      block('Webhook', { options: { webhook: { url: 'https://a.example' } } }),
      block('Wait', { options: { seconds: 1, sekondzToWaitFur: 1 } }),
      { variables, blocks: [setVariable('s', 'vA', '1')] },
      block('choice input', { items: [{ id: 'i', content: 'A', contents: 'B' }], graphCoordinates: {} }),
      block('Wait', { options: { note: 'x', secondsToWaitFor: 1 } }),
    ],
  },
  {
    code: 'undeclared-key',
    finds: [
      [handWritten({ ...one, titel: 'x' }), '/titel'],
      [handWritten({ groups: [{ id: 'g1', name: 'A', blocks: [] }] }), '/groups/0/name'],
      [handWritten({ ...one, edges: [{ id: 'e', to: { groupId: 'g1' }, form: {} }] }), '/edges/1/form'],
      [handWritten({ ...one, edges: [{ id: 'e', to: { group: 'x', groupId: 'g1' } }] }), '/edges/1/to/group'],
      [handWritten({ ...one, variables: [{ id: 'v', name: 'N', initial: 'x' }] }), '/variables/0/initial'],
      [handWritten({ ...one, settings: { generl: {} } }), '/settings/generl'],
      [handWritten({ ...one, events: [{ id: 's', type: 'start', edge: 'e' }] }), '/events/0/edge'],
      [handWritten(block('number input', { options: { minimum: 1 } })), `${at}/options/minimum`],
      [handWritten(block('Wait', { seconds: 1, 'a/b': 2 })), `${at}/seconds`, `${at}/a~1b`],
      [
        handWritten(block('choice input', { items: [{ id: 'i', label: 'A' }], options: {} })),
        `${at}/items/0/label`,
      ],
    ],
    spares: [
      { ...one, titel: 'x' },
      handWritten({ ...one, lint: {}, name: 'A', groups: [{ id: 'g1', title: 'G', blocks: [], lint: {} }] }),
      handWritten(block('text', { content: { richText: [{ type: 'p', anything: 1 }] }, lint: {} })),
      handWritten(block('of an editor', { whatever: 1 })),
      handWritten(block('number input', { options: { min: 1, labels: { button: 'Go' } } })),
    ],
  },
  {
    code: 'public-id-taken',
    surroundings: { publishedAs: (publicId) => (publicId === 'shop' ? ['shop-2.json'] : []) },
    finds: [[{ ...one, publicId: 'shop' }, '/publicId']],
    spares: [{ ...one, publicId: 'help' }, one],
  },
  {
    code: 'bad-public-id',
    finds: [
      [{ ...one, publicId: 'my shop' }, '/publicId'],
      [{ ...one, publicId: 'a/b' }, '/publicId'],
      [{ ...one, publicId: '..' }, '/publicId'],
    ],
    spares: [{ ...one, publicId: 'my-shop' }, { ...one, publicId: '...' }, one],
  },
  {
    code: 'reserved-public-id',
    finds: [[{ ...one, publicId: 'health' }, '/publicId']],
    spares: [{ ...one, publicId: 'healthy' }, one],
  },
  {
    code: 'head-code-too-long',
    finds: [[head('x'.repeat(8 * 1024 + 1)), '/settings/metadata/customHeadCode']],
    spares: [head('x'.repeat(8 * 1024))],
  },
  {
    code: 'waits-too-long',
    finds: [
      [wait('31'), `${at}/options/secondsToWaitFor`],
      [wait(600), `${at}/options/secondsToWaitFor`],
    ],
    spares: [wait('30'), wait('{{A}}')],
  },
  {
    code: 'version-missing',
    finds: [
      [{ blocks: [bubble('a')], version: undefined }, ''],
      [{ blocks: [bubble('a')], version: undefined, events: undefined }, ''],
    ],
    spares: [
      { blocks: [bubble('a')] },
      { blocks: [bubble('a')], version: '3' },
      { blocks: [bubble('a')], version: 6 },
    ],
  },
  {
    code: 'old-version',
    finds: [[{ version: '5', groups: [{ id: 'g1', title: 'G', blocks: [start] }] }, '/version']],
    spares: [one],
  },
]
