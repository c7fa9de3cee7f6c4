import type { Analytics, BlockCounts, FlowOutline, OutlineBlock } from './wire.ts'

export interface FunnelStep {
  readonly block: OutlineBlock
  readonly counts: Omit<BlockCounts, 'blockId' | 'flowId'>
  /** Conversations that came to nothing here: where one has ended, it was over. */
  readonly left: number
}

const nothing: FunnelStep['counts'] = {
  shown: 0,
  asked: 0,
  answered: 0,
  refused: 0,
  waiting: 0,
  left: 0,
  ended: 0,
  expired: 0,
  handedOver: 0,
  errors: 0,
}

/** Where conversations wait for an answer or for somebody, where they have ended, and how often other questions were asked. */
export function funnelOf(outline: FlowOutline, { blocks }: Pick<Analytics, 'blocks'>) {
  const own = new Map(
    blocks.filter(({ flowId }) => flowId === undefined).map((counts) => [counts.blockId, counts]),
  )
  const counted = outline.blocks.map((block) => ({ block, counts: own.get(block.id) ?? nothing }))
  const steps = counted
    .filter(({ block, counts }) => block.kind === 'question' || counts.asked > 0)
    .map((step): FunnelStep => ({ ...step, left: step.counts.left - step.counts.ended }))
  const ends = counted.filter(({ counts }) => counts.ended > 0)
  const known = new Set(outline.blocks.map(({ id }) => id))
  const elsewhere = blocks
    .filter(({ blockId, flowId }) => flowId !== undefined || !known.has(blockId))
    .reduce((sum, { asked }) => sum + asked, 0)
  return { steps, ends, elsewhere }
}
