import { questionsOf } from './describe-answers.ts'
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

/** The questions of a flow with what was counted of them, where else it has ended, and how often other questions were asked. */
export function funnelOf(outline: FlowOutline, { blocks }: Analytics) {
  const own = new Map(
    blocks.filter(({ flowId }) => flowId === undefined).map((counts) => [counts.blockId, counts]),
  )
  const steps = questionsOf(outline).map((block): FunnelStep => {
    const counts = own.get(block.id) ?? nothing
    return { block, counts, left: counts.left - counts.ended }
  })
  const ends = outline.blocks
    .filter(({ kind, id }) => kind !== 'question' && (own.get(id)?.ended ?? 0) > 0)
    .map((block) => ({ block, counts: own.get(block.id) ?? nothing }))
  const known = new Set(outline.blocks.map(({ id }) => id))
  const elsewhere = blocks
    .filter(({ blockId, flowId }) => flowId !== undefined || !known.has(blockId))
    .reduce((sum, { asked }) => sum + asked, 0)
  return { steps, ends, elsewhere }
}
