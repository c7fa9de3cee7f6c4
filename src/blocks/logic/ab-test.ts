import type { AbTestBlock } from '../../../schemas/blocks/logic.ts'
import { defineBlock } from '../../engine/model/block-handler.ts'
import { ask } from '../../engine/model/effects.ts'

interface AbTest {
  readonly aPercent: number
  readonly a: string | undefined
  readonly b: string | undefined
}

/** Draws one of two ways, anew at each visit (docs/behaviour/logic.md, "AB test"). */
export const abTest = defineBlock<AbTestBlock, AbTest>({
  types: ['AB test'],
  kind: 'logic',
  compile: ({ items: [a, b], options }) => ({
    aPercent: options?.aPercent ?? 50,
    a: a?.outgoingEdgeId,
    b: b?.outgoingEdgeId,
  }),
  *run({ aPercent, a, b }) {
    const drawn = 100 * (yield* ask({ type: 'random' }))
    const edgeId = drawn < aPercent && a !== undefined ? a : b
    return { next: edgeId === undefined ? { to: 'fall through' } : { to: 'edge', edgeId } }
  },
  itemEdgeIds: ({ items }) => items.flatMap(({ outgoingEdgeId }) => outgoingEdgeId ?? []),
  marks: { leaves: 'by edge or below' },
})
