import { expect, it } from 'vitest'
import { returnBlock } from '../../../src/blocks/logic/jumps.ts'
import { runBlock } from '../../support/run-block.ts'

it('leaves it to the walk to find the way back', () => {
  expect(runBlock(returnBlock, { id: 'b1', type: 'Return' })).toEqual({ next: { to: 'return' } })
})
