import type { FlowEvent, Group } from '../../schemas/flow.ts'
import type { Envelope, LooseEnvelope } from './envelope.ts'
import { partValidators } from './validate-parts.ts'

/**
 * Fills in the lists that a definition of version 3 or 4 may lack, and leaves out edges that are none, as those
 * versions ask for. What is right already is shared, not copied.
 */
export function fillMissingLists(envelope: LooseEnvelope): Envelope {
  const edges = envelope.edges ?? []
  const { accepts } = partValidators.edge
  return {
    ...envelope,
    groups: withBlocks(envelope.groups ?? []),
    edges: edges.every(accepts)
      ? edges
      : edges.map((edge) => (accepts(edge) ? edge : withoutNulls(edge))).filter(accepts),
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

/** Editors write null for what is not set: the keys that hold it are left out. In lists it may stand for something. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const set = Object.entries(value).filter(([, part]) => part !== null)
  return Object.fromEntries(set.map(([key, part]) => [key, withoutNulls(part)]))
}

/** The envelope with parts that hold no null. */
export function partsWithoutNulls(envelope: Envelope): Envelope {
  const { groups, events, edges, variables, settings, theme, localizations } = envelope
  const bare = withoutNulls({ groups, events, edges, variables, settings, theme, localizations })
  return { ...envelope, ...(bare as Partial<Envelope>) }
}

/** Type of links in exports, with their option `typebotId`. */
const linkInExports = 'Typebot link'

/** Gives links of exports the names of ours. What needs none is shared, not copied. */
export function renameLinks(envelope: Envelope): Envelope {
  if (!envelope.groups.some(hasForeignLink)) return envelope
  const groups = envelope.groups.map((group) =>
    hasForeignLink(group) ? { ...group, blocks: group.blocks.map(renameLink) } : group,
  )
  return { ...envelope, groups }
}

function hasForeignLink(group: unknown): group is { readonly blocks: readonly unknown[] } {
  const { blocks } = Object(group) as { readonly blocks?: unknown }
  return Array.isArray(blocks) && blocks.some(isForeignLink)
}

function isForeignLink(block: unknown): block is { readonly options?: unknown } {
  return (Object(block) as { readonly type?: unknown }).type === linkInExports
}

/** Accepts any value: one that is no block is reported later. */
export function renameLink(block: unknown): unknown {
  if (!isForeignLink(block)) return block
  const { options, ...rest } = block
  const { typebotId, ...others } = Object(options) as { readonly typebotId?: unknown }
  const named = typebotId === undefined || typebotId === null ? others : { flowId: typebotId, ...others }
  return { ...rest, type: 'Flow link', options: named }
}

/** Start event for a flow without one: it leaves by the edge of the very first block, of any type. */
export function startOfFirstBlock([group]: readonly Group[]): FlowEvent {
  const outgoingEdgeId = group?.blocks[0]?.outgoingEdgeId
  const start = { id: group?.id ?? 'start', type: 'start' as const }
  return outgoingEdgeId === undefined ? start : { ...start, outgoingEdgeId }
}
