import type { Json } from '../../test/support/json.ts'

const blockCount = 20
const groups = 5

const idOf = (index: number) => `block-${String(index).padStart(2, '0')}`

/** Ids of the blocks of `surveyFlow`, bubbles and inputs by turns, in five groups of which the third may be left out. */
export const surveyBlocks = Array.from({ length: blockCount }, (_, index) => idOf(index))

/** A flow of 20 blocks, as many as a form of some length has. */
export const surveyFlow: Json = {
  version: '6.1',
  id: 'survey',
  publicId: 'survey',
  name: 'Survey',
  events: [{ id: 'start', type: 'start', outgoingEdgeId: 'e0', graphCoordinates: { x: 0, y: 0 } }],
  variables: [{ id: 'v0', name: 'utm_source' }],
  groups: Array.from({ length: groups }, (_, group) => ({
    id: `g${group}`,
    title: `Part ${group}`,
    graphCoordinates: { x: 0, y: 0 },
    blocks: surveyBlocks
      .slice((group * blockCount) / groups, ((group + 1) * blockCount) / groups)
      .map((id, index, all) => ({
        id,
        ...(index % 2 === 0
          ? { type: 'text', content: { richText: [{ type: 'p', children: [{ text: `${id}?` }] }] } }
          : { type: 'text input' }),
        ...(index === all.length - 1 && group + 1 < groups && { outgoingEdgeId: `e${group + 1}` }),
      })),
  })),
  edges: Array.from({ length: groups }, (_, group) => ({
    id: `e${group}`,
    from: group === 0 ? { eventId: 'start' } : { blockId: idOf((group * blockCount) / groups - 1) },
    to: { groupId: `g${group}` },
  })),
  theme: {},
  settings: {},
}
