import type { FlowEvent, Group } from '../../schemas/flow.ts'
import type { Envelope, LooseEnvelope } from './envelope.ts'
import { partValidators } from './part-validators.ts'

/**
 * Fills in the lists that a definition of version 3 or 4 may lack, and leaves out edges that are none, as those
 * versions ask for. What is right already is shared, not copied.
 */
export function fillMissingLists(envelope: LooseEnvelope): Envelope {
  const edges = envelope.edges ?? []
  return {
    ...envelope,
    groups: withBlocks(envelope.groups ?? []),
    edges: edges.every(partValidators.edge.accepts) ? edges : edges.filter(partValidators.edge.accepts),
  }
}

function withBlocks(groups: unknown[]): unknown[] {
  return groups.some(lacksBlocks)
    ? groups.map((group) => (lacksBlocks(group) ? { ...group, blocks: [] } : group))
    : groups
}

function lacksBlocks(group: unknown): group is object {
  if (typeof group !== 'object' || group === null || Array.isArray(group)) return false
  return !('blocks' in group) || group.blocks === null
}

/** The start event of a flow that has none: it leaves by the edge of the very first block, whatever that is. */
export function startOfFirstBlock([group]: readonly Group[]): FlowEvent {
  const outgoingEdgeId = group?.blocks[0]?.outgoingEdgeId
  const start = { id: group?.id ?? 'start', type: 'start' as const }
  return outgoingEdgeId === undefined ? start : { ...start, outgoingEdgeId }
}
