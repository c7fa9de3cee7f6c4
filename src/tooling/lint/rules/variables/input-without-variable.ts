import { PaymentInputBlock } from '../../../../../schemas/blocks/inputs/payment-input.ts'
import { isOf } from '../../../../../schemas/tagged-union.ts'
import { itemEdgesOf } from '../../model/placed-block.ts'
import { defineRule } from '../../rule.ts'

/** Inputs whose answers no variable receives. */
export const inputWithoutVariable = defineRule({
  code: 'input-without-variable',
  severity: 'info',
  title: 'An answer that no variable receives',
  description:
    'What is answered goes into the results under the name of the group, and nothing in the flow can use it. That is fine where a choice leads on by its items. Give the input a variable, if only for a name in the results. Choices that lead on by their items are not reported.',
  checkBlock(placed, { report }) {
    const { block, kind, pointer } = placed
    if (kind !== 'input' || itemEdgesOf(placed).length > 0 || isOf(block, PaymentInputBlock)) return
    const options = ('options' in block ? block.options : undefined) as
      | { readonly variableId?: string; readonly saveResponseMapping?: readonly unknown[] }
      | undefined
    if (options?.variableId || (options?.saveResponseMapping?.length ?? 0) > 0) return
    report({ pointer, message: 'No variable receives the answer.' })
  },
})
