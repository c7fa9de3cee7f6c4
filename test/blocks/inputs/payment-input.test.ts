import { expect, it } from 'vitest'
import { paymentInput } from '../../../src/blocks/inputs/payment-input.ts'
import { prepareBlock } from '../../support/run-block.ts'

const block = { id: 'i1', type: 'payment input', outgoingEdgeId: 'e1', options: { amount: '12.5' } }

it('lets the flow go on without a payment, and says so', () => {
  expect(prepareBlock(paymentInput, block).run()).toEqual({
    logs: [
      {
        status: 'error',
        context: 'payment input',
        description: 'payment input is not available on this server',
        details: 'No payment was asked for, and the flow went on without one.',
      },
    ],
  })
})

it('reports to the author of the flow', () => {
  expect(prepareBlock(paymentInput, block).findings).toMatchObject([{ code: 'not-available', at: '/type' }])
})

it('never waits, which matters to the search for endless loops', () => {
  expect(paymentInput.isPassThrough?.(block)).toBe(true)
})
