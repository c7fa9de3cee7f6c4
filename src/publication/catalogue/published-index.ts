import type { PublishedFlow, PublishedFlows } from '../../stores/published-flows.ts'

/** Published flows, findable by either id. Where several claim one id, the first has it. */
interface PublishedIndex extends Omit<PublishedFlows, 'close'> {
  /** Those that can't be found, as another has their public id. */
  readonly shadowed: readonly { readonly flow: PublishedFlow; readonly by: PublishedFlow }[]
}

/** Indexes flows; the order that they come in decides between them. */
export function indexPublishedFlows(flows: Iterable<PublishedFlow>): PublishedIndex {
  const byPublicId = new Map<string, PublishedFlow>()
  const byFlowId = new Map<string, PublishedFlow>()
  const shadowed: { flow: PublishedFlow; by: PublishedFlow }[] = []
  for (const flow of flows) {
    const by = byPublicId.get(flow.publicId)
    if (by) {
      shadowed.push({ flow, by })
      continue
    }
    byPublicId.set(flow.publicId, flow)
    if (!byFlowId.has(flow.flow.id)) byFlowId.set(flow.flow.id, flow)
  }
  return {
    byPublicId: async (publicId) => byPublicId.get(publicId),
    byFlowId: async (flowId) => byFlowId.get(flowId) ?? byPublicId.get(flowId),
    list: async () => [...byPublicId.values()],
    shadowed,
  }
}
