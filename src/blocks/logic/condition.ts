import type { ConditionBlock } from '../../../schemas/blocks/logic/condition.ts'
import {
  type CompiledCondition,
  compileCondition,
  evaluateCondition,
} from '../../engine/conditions/evaluate-condition.ts'
import { defineBlock } from '../../engine/model/block-handler.ts'

interface CompiledItem {
  readonly condition: CompiledCondition
  readonly edgeId: string | undefined
}

/** Leaves by the first item that holds; one that leads nowhere ends the path (docs/behaviour/logic.md, "Condition"). */
export const condition = defineBlock<ConditionBlock, readonly CompiledItem[]>({
  types: ['Condition'],
  kind: 'logic',
  compile: ({ items = [] }, context) =>
    items.map(({ content, outgoingEdgeId }, index) => ({
      condition: compileCondition(content, context, `/items/${index}/content`),
      edgeId: outgoingEdgeId,
    })),
  run: (items, context) => {
    const found = items.find((item) => evaluateCondition(item.condition, context))
    if (!found) return {}
    return { next: found.edgeId === undefined ? { to: 'end' } : { to: 'edge', edgeId: found.edgeId } }
  },
  itemEdgeIds: ({ items = [] }) => items.flatMap(({ outgoingEdgeId }) => outgoingEdgeId ?? []),
})
