import { describe, expect, it } from 'vitest'
import { bubble, edge, setVariable } from '../../fixtures/short-flows.ts'
import type { Json } from '../../support/json.ts'
import { walkFlow } from '../../support/walk-flow.ts'

const titled = (id: string, title: string, blocks: Json[]): Json => ({ id, title, blocks })

const linked = {
  id: 'flow-2',
  groups: [
    titled('g1', 'g1', [bubble('t1', 'hello')]),
    titled('g2', 'Basket', [bubble('t2', 'top'), bubble('t3', 'inner')]),
    titled('g3', 'Basket', []),
  ],
  edges: [edge('e1', 'g2', 't3')],
  events: [{ id: 'start', type: 'start', outgoingEdgeId: 'e1' }],
}

const legacy = {
  id: 'flow-2',
  version: '5',
  groups: [
    titled('g1', 'g1', [bubble('t1', 'after the start')]),
    titled('g2', 'g2', [{ id: 's1', type: 'start', label: 'Start', outgoingEdgeId: 'e2' }]),
  ],
  edges: [edge('e1', 'g1'), edge('e2', 'g1')],
  events: [{ id: 'start', type: 'start', outgoingEdgeId: 'e1' }],
}

/** Follows a link of a flow that says `after` when the walk comes back. */
function follow(options: object, { flow = linked as Json, title = 'Basket' } = {}) {
  const variables = [{ id: 'vNext', name: 'Next' }]
  const blocks = [
    setVariable('s', 'vNext', title),
    { id: 'l1', type: 'Flow link', options } as Json,
    bubble('after'),
  ]
  const own = titled('own', 'Own', [bubble('o1', 'own')])
  return walkFlow(
    { id: 'flow-1', variables, groups: [titled('main', 'main', blocks), own] },
    { linked: [flow] },
  )
}

const failure = (details: string) => ({
  status: 'error',
  description: 'Flow link could not be followed',
  details,
})

describe('a link into another flow', () => {
  it('enters at the block that the start leads to', () => {
    expect(follow({ flowId: 'flow-2' }).texts).toEqual(['inner', 'after'])
  })

  it('enters a group by its id', () => {
    expect(follow({ flowId: 'flow-2', groupId: 'g2' }).texts).toEqual(['top', 'inner', 'after'])
  })

  it('enters the first group of a title', () => {
    expect(follow({ flowId: 'flow-2', groupId: '{{Next}}' }).texts).toEqual(['top', 'inner', 'after'])
  })

  it('enters a group without blocks, and comes back', () => {
    const { texts, output } = follow({ flowId: 'flow-2', groupId: 'g3' })
    expect(texts).toEqual(['after'])
    expect(output.logs).toEqual([])
  })

  it('enters a flow below version 6 at the top of the group that holds its start block', () => {
    expect(follow({ flowId: 'flow-2' }, { flow: legacy }).texts).toEqual(['after the start', 'after'])
  })

  it('asks for the flow once, and goes on after the link when there is none', () => {
    const { texts, output, asked } = follow({ flowId: 'flow-7' })
    expect(texts).toEqual(['after'])
    expect(output.logs).toEqual([failure('Flow "flow-7" was not found')])
    expect(asked.filter(({ type }) => type === 'link')).toEqual([{ type: 'link', flowId: 'flow-7' }])
  })

  it.each(['g7', '{{Nope}}', '{{Next}}'])('goes on when the group %j was not found', (groupId) => {
    const { texts, output } = follow({ flowId: 'flow-2', groupId }, { title: 'Hall' })
    expect(texts).toEqual(['after'])
    expect(output.logs).toEqual([failure(`Group "${groupId}" was not found`)])
  })

  it.each([
    ['whose start is not connected', { ...linked, events: [{ id: 'start', type: 'start' }] }],
    ['whose start leads to a missing group', { ...linked, edges: [edge('e1', 'g7')] }],
    ['below version 6 without a start block', { ...legacy, groups: legacy.groups.slice(0, 1) }],
  ])('goes on when a flow %s can not be entered', (_, flow) => {
    const { texts, output } = follow({ flowId: 'flow-2' }, { flow })
    expect(texts).toEqual(['after'])
    expect(output.logs).toEqual([failure('Flow "flow-2" has no start to enter by')])
  })
})

describe('a link into the flow itself', () => {
  it.each(['current', 'flow-1'])('needs no other flow for %j', (flowId) => {
    const { texts, asked } = follow({ flowId, groupId: 'own' })
    expect(texts).toEqual(['own', 'after'])
    expect(asked.filter(({ type }) => type === 'link')).toEqual([])
  })

  it('finds a group by its title', () => {
    const { texts } = follow({ flowId: 'current', groupId: '{{Next}}' }, { title: 'Own' })
    expect(texts).toEqual(['own', 'after'])
  })

  it('goes on when a group was not found', () => {
    const { texts, output } = follow({ flowId: 'current', groupId: 'g7' })
    expect(texts).toEqual(['after'])
    expect(output.logs).toEqual([failure('Group "g7" was not found')])
  })
})
