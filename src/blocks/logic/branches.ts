import { AbTestBlock, ConditionBlock } from '../../../schemas/blocks/logic.ts'
import {
  type CompiledCondition,
  compileCondition,
  evaluateCondition,
} from '../../engine/conditions/evaluate-condition.ts'
import { defineBlock } from '../../engine/model/block-handler.ts'
import { andThen, ask, findFirst } from '../../engine/model/effects.ts'
import type { Step } from '../../engine/model/step.ts'

interface CompiledItem {
  readonly id: string
  readonly condition: CompiledCondition
  readonly edgeId: string | undefined
}

/** Leaves by the first item that holds; one that leads nowhere ends the path (docs/behaviour/logic.md, "Condition"). */
export const condition = defineBlock<ConditionBlock, readonly CompiledItem[]>({
  schema: ConditionBlock,
  kind: 'logic',
  compile: ({ items = [] }, context) =>
    items.map(({ id, content, outgoingEdgeId }, index) => ({
      id,
      condition: compileCondition(content, context, { at: `/items/${index}/content` }),
      edgeId: outgoingEdgeId,
    })),
  run: (items, context) =>
    andThen(
      findFirst(items, ({ condition }) => evaluateCondition(condition, context)),
      leaveBy,
    ),
  itemEdgeIds: ({ items = [] }) => items.flatMap(({ outgoingEdgeId }) => outgoingEdgeId ?? []),
  marks: { decides: true, changesNothing: true },
})

function leaveBy(item: CompiledItem | undefined): Step {
  if (!item) return {}
  const { id, edgeId } = item
  return { next: edgeId === undefined ? { to: 'end' } : { to: 'edge', edgeId }, item: { item: id } }
}

interface AbTest {
  readonly aPercent: number
  readonly a: AbTestBlock['items'][number] | undefined
  readonly b: AbTestBlock['items'][number] | undefined
}

/** Draws one of two ways, anew at each visit (docs/behaviour/logic.md, "AB test"). */
export const abTest = defineBlock<AbTestBlock, AbTest>({
  schema: AbTestBlock,
  kind: 'logic',
  compile: ({ items: [a, b], options }) => ({
    aPercent: options?.aPercent ?? 50,
    a,
    b,
  }),
  *run({ aPercent, a, b }) {
    const drawn = 100 * (yield* ask({ type: 'random' }))
    const taken = drawn < aPercent && a?.outgoingEdgeId !== undefined ? a : b
    const edgeId = taken?.outgoingEdgeId
    return {
      next: edgeId === undefined ? { to: 'fall through' } : { to: 'edge', edgeId },
      item: taken && { item: taken.id, isDrawn: true },
    }
  },
  itemEdgeIds: ({ items }) => items.flatMap(({ outgoingEdgeId }) => outgoingEdgeId ?? []),
  marks: { leaves: 'by edge or below' },
})
