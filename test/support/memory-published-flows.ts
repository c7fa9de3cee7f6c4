import type { PublishedFlow, PublishedFlows } from '../../src/stores/published-flows.ts'

/** Offers flows that are there from the start and never change; of those with one id, the first. */
export function createMemoryPublishedFlows(flows: Iterable<PublishedFlow>): PublishedFlows {
  const all = [...flows]
  const served = all.filter((flow) => all.find(({ publicId }) => publicId === flow.publicId) === flow)
  const byPublicId = (id: string) => served.find(({ publicId }) => publicId === id)
  return {
    byPublicId: async (publicId) => byPublicId(publicId),
    byFlowId: async (flowId) => served.find(({ flow }) => flow.id === flowId) ?? byPublicId(flowId),
    list: async () => served,
    close: async () => undefined,
  }
}
