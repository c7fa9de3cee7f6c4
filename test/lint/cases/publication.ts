import { bubble, setVariable, variable } from '../../fixtures/short-flows.ts'
import type { Json } from '../../support/json.ts'
import type { RuleCase } from './rule-case.ts'

const at = '/groups/0/blocks/0'
const variables = [variable('A')]
const block = (type: string, more: Json) => ({ variables, blocks: [{ id: 'b', type, ...more }] })
const one = { blocks: [bubble('a')] }
const wait = (secondsToWaitFor: string | number) => block('Wait', { options: { secondsToWaitFor } })
const head = (customHeadCode: string) => ({ ...one, settings: { metadata: { customHeadCode } } })
const start = { id: 's', type: 'start', label: 'Start' }

export const publication: readonly RuleCase[] = [
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
    ],
    spares: [
      { variables, blocks: [setVariable('s', 'vA', '1')] },
      block('choice input', { items: [{ id: 'i', content: 'A', contents: 'B' }], graphCoordinates: {} }),
      block('Wait', { options: { note: 'x', secondsToWaitFor: 1 } }),
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
    ],
    spares: [{ ...one, publicId: 'my-shop' }, one],
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
