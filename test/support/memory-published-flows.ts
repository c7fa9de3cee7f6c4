import { indexPublishedFlows } from '../../src/publication/catalogue/published-index.ts'
import type { PublishedFlow, PublishedFlows } from '../../src/stores/published-flows.ts'

/** Offers flows that are there from the start and never change, in the order given. */
export function createMemoryPublishedFlows(flows: Iterable<PublishedFlow>): PublishedFlows {
  const { byPublicId, byFlowId, list } = indexPublishedFlows(flows)
  return { byPublicId, byFlowId, list, close: async () => undefined }
}
