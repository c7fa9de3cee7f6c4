import type { LinkAnswer } from '../../engine/model/effects.ts'
import type { PublishedFlows } from '../../stores/published-flows.ts'
import type { TurnOwner } from './turn-owner.ts'

/**
 * Finds the flow that a link names: a published flow's id, then its public id. A stranger's preview reaches nothing but
 * itself.
 */
export async function resolveFlowLink(
  flowId: string,
  { kind, isTrusted }: Pick<TurnOwner, 'kind' | 'isTrusted'>,
  published: Pick<PublishedFlows, 'byFlowId'>,
): Promise<LinkAnswer> {
  if (kind !== 'live' && !isTrusted) return { refusal: untrustedPreview }
  const found = await published.byFlowId(flowId)
  return found ? { program: found.program } : { refusal: `Flow "${flowId}" was not found` }
}

const untrustedPreview =
  'A preview follows links to published flows only when it is started with the preview token'
