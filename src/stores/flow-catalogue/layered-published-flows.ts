import type { FlowState } from '../../../schemas/flow-state.ts'
import type { PublishedFlow, PublishedFlows } from '../published-flows.ts'

/** Publishes the flows of two sources beside each other. Of two with one public id the first has it. */
export function layerPublishedFlows(first: PublishedFlows, second: PublishedFlows): PublishedFlows {
  const isShadowed = async ({ publicId }: PublishedFlow) => (await first.byPublicId(publicId)) !== undefined

  async function inSecond(flowId: string): Promise<PublishedFlow | undefined> {
    const found = await second.byFlowId(flowId)
    if (!found || !(await isShadowed(found))) return found
    // Another of the same id may not be.
    for (const flow of await second.list())
      if (flow.flow.id === flowId && !(await isShadowed(flow))) return flow
    return undefined
  }

  return {
    byPublicId: async (publicId) => (await first.byPublicId(publicId)) ?? second.byPublicId(publicId),
    async byFlowId(flowId) {
      const found = await first.byFlowId(flowId)
      if (found?.flow.id === flowId) return found
      const other = await inSecond(flowId)
      // The id of a definition comes before a public id, whichever source has it.
      return other?.flow.id === flowId ? other : (found ?? other)
    },
    async list() {
      const own = await first.list()
      const taken = new Set(own.map(({ publicId }) => publicId))
      return [...own, ...(await second.list()).filter(({ publicId }) => !taken.has(publicId))]
    },
    async close() {
      await Promise.all([first.close(), second.close()])
    },
  }
}

/** What has become of the flows of both: those of the second whose public id the first has are shadowed. */
export function layerStates(first: readonly FlowState[], second: readonly FlowState[]): FlowState[] {
  const published = first.filter(({ state }) => state === 'published' || state === 'stale')
  const taken = new Set(published.map(({ publicId }) => publicId))
  return [
    ...first,
    ...second.map((state) => (taken.has(state.publicId) ? { ...state, state: 'shadowed' as const } : state)),
  ]
}
