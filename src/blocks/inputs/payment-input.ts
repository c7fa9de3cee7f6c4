import type { PaymentInputBlock } from '../../../schemas/blocks/inputs/payment-input.ts'
import { defineBlock } from '../../engine/model/block-handler.ts'

/** Would ask for a payment. Without a provider on this server the flow goes on (docs/behaviour/inputs.md, "Payment input"). */
export const paymentInput = defineBlock<PaymentInputBlock, undefined>({
  types: ['payment input'],
  kind: 'input',
  inputName: 'payment',
  compile: (_block, context) => {
    const hint = 'Payments are not available on this server: the block is passed over.'
    context.report({ code: 'not-available', severity: 'error', at: '/type', hint })
    return undefined
  },
  run: () => ({ logs: [notAvailable] }),
  isPassThrough: () => true,
})

const notAvailable = Object.freeze({
  audience: 'visitors',
  status: 'error',
  context: 'payment input',
  description: 'payment input is not available on this server',
  details: 'No payment was asked for, and the flow went on without one.',
})
