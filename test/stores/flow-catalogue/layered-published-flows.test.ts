import { describe, expect, it } from 'vitest'
import type { FlowState } from '../../../schemas/flow-state.ts'
import {
  layerPublishedFlows,
  layerStates,
} from '../../../src/stores/flow-catalogue/layered-published-flows.ts'
import { readPublishedAt } from '../../../src/stores/flow-folder/published-at.ts'
import type { PublishedFlow } from '../../../src/stores/published-flows.ts'
import { createMemoryPublishedFlows } from '../../support/memory-published-flows.ts'
import { describePublishedFlows, type Source } from '../contracts/published-flows.ts'
import { publishText } from '../publish-text.ts'

function publishedOf({ name, definition }: Source): PublishedFlow {
  const { flow, program } = publishText(JSON.stringify(definition))
  return {
    publicId: flow.publicId ?? name,
    flow,
    program,
    publishedAt: readPublishedAt(flow.updatedAt, 0),
    isClosed: flow.isClosed === true,
    isArchived: flow.isArchived === true,
  }
}

const memory = (sources: readonly Source[]) => createMemoryPublishedFlows(sources.map(publishedOf))

for (const [name, size] of [
  ['all in the first', Number.POSITIVE_INFINITY],
  ['all in the second', 0],
  ['one in the first', 1],
] as const)
  describePublishedFlows(`published flows of two sources, ${name}`, (sources) => {
    const inOrder = sources.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    return layerPublishedFlows(memory(inOrder.slice(0, size)), memory(inOrder.slice(size)))
  })

describe('published flows of two sources', () => {
  const source = (id: string, publicId: string): Source => ({ name: publicId, definition: { id, publicId } })

  it('find no flow of the second by its id when the first has its public id, but another of that id', async () => {
    const first = memory([source('flow-1', 'shop')])
    const hidden = source('flow-2', 'shop')
    const flows = layerPublishedFlows(first, memory([hidden]))
    expect(await flows.byFlowId('flow-2')).toBeUndefined()
    const other = layerPublishedFlows(first, memory([hidden, source('flow-2', 'free')]))
    expect((await other.byFlowId('flow-2'))?.publicId).toBe('free')
  })

  it('find a definition of the second by its id before a public id of the first', async () => {
    const flows = layerPublishedFlows(memory([source('flow-1', 'x')]), memory([source('x', 'shop')]))
    expect((await flows.byFlowId('x'))?.publicId).toBe('shop')
    expect((await flows.byFlowId('shop'))?.publicId).toBe('shop')
    expect((await flows.byPublicId('x'))?.flow.id).toBe('flow-1')
  })
})

it('marks what a file hides, and not what a broken one would', () => {
  const state = (publicId: string, name: FlowState['state']): FlowState => ({
    publicId,
    state: name,
    problems: [],
    findings: [],
  })
  const files = [state('a', 'published'), state('b', 'stale'), state('c', 'broken')]
  const others = ['a', 'b', 'c', 'd'].map((id) => state(id, 'published'))
  expect(layerStates(files, others).map((one) => one.state)).toEqual([
    'published',
    'stale',
    'broken',
    'shadowed',
    'shadowed',
    'published',
    'published',
  ])
})
