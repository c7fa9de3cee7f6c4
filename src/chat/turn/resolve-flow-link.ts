import type { LinkAnswer } from '../../engine/model/effects.ts'
import type { PublishedFlows } from '../../stores/published-flows.ts'
import type { Session } from '../../stores/session.ts'
import type { EffectExecutor } from './effect-runner.ts'

/** How links of a session find their flows. A stranger's preview reaches nothing but itself. */
export function createFlowLinkResolver(
  { kind, isTrusted }: Pick<Session, 'kind' | 'isTrusted'>,
  published: PublishedFlows,
): EffectExecutor['findFlow'] {
  return kind === 'live' || isTrusted ? (flowId) => findPublishedFlow(published, flowId) : refuseLinks
}

/** Finds the flow that a link names: a published flow's id, then its public id. */
async function findPublishedFlow(published: PublishedFlows, flowId: string): Promise<LinkAnswer> {
  const found = await published.byFlowId(flowId)
  return found ? { program: found.program } : { refusal: `Flow "${flowId}" was not found` }
}

async function refuseLinks(): Promise<LinkAnswer> {
  return {
    refusal: 'A preview follows links to published flows only when it is started with the preview token',
  }
}
