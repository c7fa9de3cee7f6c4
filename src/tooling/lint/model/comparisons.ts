import type { Block } from '../../../../schemas/blocks/index.ts'
import type { Condition } from '../../../../schemas/condition.ts'
import type { BlockMarks } from '../../../engine/model/block-handler.ts'

/** A comparison of a condition, in its place. */
export type Comparison = NonNullable<Condition['comparisons']>[number]

/** A condition of an item, in its place. */
export interface PlacedCondition {
  readonly pointer: string
  /** Of the item that it belongs to. */
  readonly item: number
  readonly isOr: boolean
  readonly comparisons: readonly Comparison[]
}

interface Item {
  readonly content?: unknown
  readonly displayCondition?: { readonly isEnabled?: boolean; readonly condition?: Condition }
  readonly options?: Item
}

const none: readonly PlacedCondition[] = []

/** The conditions that decide about items of a block: about ways to leave by, and about choices that can be hidden. */
export function conditionsOf(
  block: Block,
  pointer: string,
  { decides }: BlockMarks,
): readonly PlacedCondition[] {
  const items = 'items' in block && Array.isArray(block.items) ? (block.items as readonly Item[]) : []
  if (items.length === 0) return none
  return items.flatMap((item, index) => {
    const at = `${pointer}/items/${index}`
    if (decides) return [placed(item.content as Condition | undefined, `${at}/content`, index)]
    const [shown, place] = item.displayCondition
      ? [item.displayCondition, `${at}/displayCondition`]
      : [item.options?.displayCondition, `${at}/options/displayCondition`]
    return shown?.isEnabled === true ? [placed(shown.condition, `${place}/condition`, index)] : []
  })
}

function placed(condition: Condition | undefined, pointer: string, item: number): PlacedCondition {
  const { comparisons = [], logicalOperator } = condition ?? {}
  return { pointer, item, isOr: logicalOperator === 'OR', comparisons }
}
