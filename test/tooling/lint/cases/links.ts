import type { NeighbourFlow } from '../../../../src/tooling/lint/model/surroundings.ts'
import { bubble, flowLink, textInput } from '../../../fixtures/short-flows.ts'
import type { RuleCase } from './rule-case.ts'

const neighbour = (id: string, more: Partial<NeighbourFlow> = {}): NeighbourFlow => ({
  id,
  publicId: id,
  isClosed: false,
  isArchived: false,
  groupIds: new Set(['gA']),
  hasStart: true,
  linksAtOnce: [],
  ...more,
})

const flows = [
  neighbour('faq'),
  neighbour('old', { isArchived: true }),
  neighbour('closed', { isClosed: true }),
  neighbour('headless', { hasStart: false }),
  neighbour('back', { linksAtOnce: ['further'] }),
  neighbour('further', { linksAtOnce: ['back', 'flow-1'] }),
]
const surroundings = { findFlow: (name: string) => flows.find(({ id }) => id === name) }
const at = '/groups/0/blocks/0'

export const links: readonly RuleCase[] = [
  {
    code: 'link-missing',
    surroundings,
    finds: [
      [{ blocks: [{ id: 'l', type: 'Flow link' }] }, at],
      [{ blocks: [flowLink('l', 'gone')] }, `${at}/options/flowId`],
      [{ blocks: [flowLink('l', 'headless')] }, `${at}/options/flowId`],
      [{ blocks: [flowLink('l', 'faq', { groupId: 'gone' })] }, `${at}/options/groupId`],
      [{ blocks: [flowLink('l', 'current')], events: [{ id: 's', type: 'start' }] }, `${at}/options/flowId`],
    ],
    spares: [
      { blocks: [flowLink('l', 'faq')] },
      { blocks: [flowLink('l', 'faq', { groupId: 'gA' })] },
      { blocks: [flowLink('l', 'headless', { groupId: 'gA' })] },
      { blocks: [flowLink('l', 'current')] },
      { blocks: [flowLink('l', 'faq', { groupId: '{{T}}' })], variables: [{ id: 'vT', name: 'T' }] },
    ],
  },
  {
    code: 'link-cycle',
    surroundings,
    finds: [
      [{ blocks: [flowLink('l', 'back')] }, at],
      [{ blocks: [flowLink('l', 'current')] }, at],
    ],
    spares: [
      { blocks: [textInput('i'), flowLink('l', 'back')] },
      { blocks: [flowLink('l', 'faq'), bubble('a')] },
    ],
  },
  {
    code: 'link-closed',
    surroundings,
    finds: [[{ blocks: [flowLink('l', 'old')] }, `${at}/options/flowId`]],
    spares: [{ blocks: [flowLink('l', 'faq')] }, { blocks: [flowLink('l', 'closed')] }],
  },
]
