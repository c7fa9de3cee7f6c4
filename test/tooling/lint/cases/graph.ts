import { bubble, edge, flowLink, group, leaving, textInput } from '../../../fixtures/short-flows.ts'
import type { Json } from '../../../support/json.ts'
import type { RuleCase } from './rule-case.ts'

const jump = (options: Json) => ({ id: 'j', type: 'Jump', options })
const title = { variables: [{ id: 'vT', name: 'T' }] }
const at = '/groups/0/blocks/0'
const two = (first: Json, ...edges: Json[]) => ({
  groups: [group('g1', first), group('g2', bubble('x'))],
  edges,
})
const cards = (path: Json) => ({
  id: 'c',
  type: 'cards',
  items: [{ id: 'i', paths: [{ id: 'p', ...path }] }],
})

export const graph: readonly RuleCase[] = [
  {
    code: 'duplicate-id',
    finds: [[{ blocks: [bubble('a'), bubble('a')] }, '/groups/0/blocks/1/id']],
    spares: [{ blocks: [bubble('a'), bubble('b')] }],
  },
  {
    code: 'dangling-edge',
    finds: [
      [{ blocks: [leaving(bubble('a'), 'gone')] }, `${at}/outgoingEdgeId`],
      [{ blocks: [cards({ outgoingEdgeId: 'gone' })] }, `${at}/items/0/paths/0/outgoingEdgeId`],
    ],
    spares: [
      { blocks: [leaving(bubble('a'), 'e')], edges: [edge('e', 'g1')] },
      { blocks: [cards({ outgoingEdgeId: 'e' })], edges: [edge('e', 'g1')] },
    ],
  },
  {
    code: 'missing-group',
    finds: [[two(leaving(bubble('a'), 'e'), edge('e', 'gone')), '/edges/1/to/groupId']],
    spares: [two(leaving(bubble('a'), 'e'), edge('e', 'g2'))],
  },
  {
    code: 'missing-block',
    finds: [[two(leaving(bubble('a'), 'e'), edge('e', 'g2', 'a')), '/edges/1/to/blockId']],
    spares: [two(leaving(bubble('a'), 'e'), edge('e', 'g2', 'x'))],
  },
  {
    code: 'unknown-block-type',
    finds: [[{ blocks: [{ id: 'a', type: 'hologram' }] }, `${at}/type`]],
    spares: [{ blocks: [bubble('a')] }],
  },
  {
    code: 'jump-target-missing',
    finds: [
      [{ blocks: [jump({ groupId: 'gone' })] }, `${at}/options/groupId`],
      [two(jump({ groupId: 'g2', blockId: 'j' })), `${at}/options/blockId`],
      [{ ...title, blocks: [jump({ groupId: 'To {{T}}' })] }, `${at}/options/groupId`],
      [{ blocks: [flowLink('l', 'current', { groupId: 'gone' })] }, `${at}/options/groupId`],
      [{ id: 'own', blocks: [flowLink('l', 'own', { groupId: 'gone' })] }, `${at}/options/groupId`],
    ],
    spares: [
      two(jump({ groupId: 'g2', blockId: 'x' })),
      { blocks: [jump({})] },
      { ...title, blocks: [jump({ groupId: '{{T}}' })] },
      { blocks: [flowLink('l', 'elsewhere', { groupId: 'gone' })] },
    ],
  },
  {
    code: 'ignored-bubble-edge',
    finds: [
      [
        { blocks: [leaving(bubble('a'), 'e'), bubble('b')], edges: [edge('e', 'g1')] },
        `${at}/outgoingEdgeId`,
      ],
    ],
    spares: [
      { blocks: [bubble('a'), leaving(bubble('b'), 'e')], edges: [edge('e', 'g1')] },
      { blocks: [leaving(textInput('a'), 'e'), bubble('b')], edges: [edge('e', 'g1')] },
      {
        blocks: [
          {
            id: 'm',
            type: 'embed',
            outgoingEdgeId: 'e',
            content: { url: 'https://a.example', waitForEvent: { isEnabled: true } },
          },
          bubble('b'),
        ],
        edges: [edge('e', 'g1')],
      },
    ],
  },
  {
    code: 'orphan-edge',
    finds: [[{ blocks: [bubble('a')], edges: [edge('e', 'g1')] }, '/edges/1']],
    spares: [
      { blocks: [leaving(bubble('a'), 'e')], edges: [edge('e', 'g1')] },
      { blocks: [cards({ outgoingEdgeId: 'e' })], edges: [edge('e', 'g1')] },
    ],
  },
  {
    code: 'edge-from-differs',
    finds: [
      [
        { blocks: [leaving(bubble('a'), 'e')], edges: [{ ...edge('e', 'g1'), from: { blockId: 'b' } }] },
        '/edges/1/from',
      ],
    ],
    spares: [
      { blocks: [leaving(bubble('a'), 'e')], edges: [{ ...edge('e', 'g1'), from: { blockId: 'a' } }] },
      { blocks: [leaving(bubble('a'), 'e')], edges: [edge('e', 'g1')] },
      {
        blocks: [cards({ outgoingEdgeId: 'e' })],
        edges: [{ ...edge('e', 'g1'), from: { blockId: 'c', itemId: 'i', pathId: 'p' } }],
      },
    ],
  },
]
