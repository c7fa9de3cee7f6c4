import type { LinkAnswer } from '../engine/effects.ts'
import type { PublishedFlows } from '../stores/published-flows.ts'

/** Finds the flow that a link names: a published flow's id, then its public id. */
export async function findPublishedFlow(published: PublishedFlows, flowId: string): Promise<LinkAnswer> {
  const found = await published.byFlowId(flowId)
  return found ? { program: found.program } : { refusal: `Flow "${flowId}" was not found` }
}

/** A stranger's preview reaches nothing but itself. */
export async function refuseLinks(): Promise<LinkAnswer> {
  return {
    refusal: 'A preview follows links to published flows only when it is started with the preview token',
  }
}
