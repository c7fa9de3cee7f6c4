import { readPublishedAt } from '../../src/publication/flow-folder/published-at.ts'
import { createMemoryPublishedFlows } from '../support/memory-published-flows.ts'
import { describePublishedFlows } from './contracts/published-flows.ts'
import { publishText } from './publish-text.ts'

describePublishedFlows('published flows in memory', (sources) => {
  const inOrder = sources.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return createMemoryPublishedFlows(
    inOrder.map(({ name, definition }) => {
      const { flow, program } = publishText(JSON.stringify(definition))
      return {
        publicId: flow.publicId ?? name,
        flow,
        program,
        publishedAt: readPublishedAt(flow.updatedAt, 0),
        isClosed: flow.isClosed === true,
        isArchived: flow.isArchived === true,
      }
    }),
  )
})
