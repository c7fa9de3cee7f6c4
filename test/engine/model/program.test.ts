import { describe, expect, it } from 'vitest'
import type { Flow } from '../../../schemas/flow.ts'
import { compileFlow } from '../../../src/engine/compile/compile-flow.ts'
import type { Target } from '../../../src/engine/model/program.ts'
import { entryTargetOf, findGroup } from '../../../src/engine/walk/find-group.ts'

const groups: Flow['groups'] = [
  { id: 'g1', title: 'Hall', blocks: [{ id: 'b1', type: 'text' }] },
  {
    id: 'g2',
    title: 'Hall',
    blocks: [
      { id: 'b2', type: 'text' },
      { id: 'b3', type: 'start' },
    ],
  },
  { id: 'g3', title: '', blocks: [] },
]

function programOf(version: Flow['version'], outgoingEdgeId?: string) {
  const flow: Flow = {
    version,
    id: 'flow-1',
    groups,
    edges: [{ id: 'e1', to: { groupId: 'g1' } }],
    events: [{ id: 'start', type: 'start', ...(outgoingEdgeId && { outgoingEdgeId }) }],
    variables: [],
    settings: {},
    theme: {},
  }
  return compileFlow(flow, new Map(), 'hash')
}

const placeOf = (target: Target | undefined) =>
  target?.kind === 'block' ? target.block.id : target?.kind === 'empty group' ? target.group.id : undefined

describe('finding a group', () => {
  it.each([
    ['id', 'g2', 'b2'],
    ['id', 'g3', 'g3'],
    ['title', 'Hall', 'b1'],
    ['title', 'hall', undefined],
    ['title', '', undefined],
    ['id', 'g7', undefined],
    ['id', '__proto__', undefined],
  ] as const)('by the %s %j leads to %j', (by, value, place) => {
    expect(placeOf(findGroup(programOf('6'), by, value)?.target)).toBe(place)
  })

  it('finds a block of that group only', () => {
    const group = findGroup(programOf('6'), 'id', 'g2')
    expect(placeOf(group?.block('b3'))).toBe('b3')
    expect(group?.block('b1')).toBeUndefined()
  })
})

describe('the entry for a flow link', () => {
  it.each([
    ['6', 'e1', 'b1'],
    ['6.1', undefined, undefined],
    ['5', 'e1', 'b2'],
    ['3', undefined, 'b2'],
  ] as const)('of a version %s flow whose start has the edge %s is %s', (version, edgeId, place) => {
    expect(placeOf(entryTargetOf(programOf(version, edgeId)))).toBe(place)
  })
})
