import { expect, it } from 'vitest'
import { startBlock } from '../../../src/blocks/logic/jumps.ts'
import { runBlock } from '../../support/run-block.ts'

it('falls through, so that an edge is followed only behind the last block of a group', () => {
  const block = { id: 'b1', type: 'start', outgoingEdgeId: 'e1' }
  expect(runBlock(startBlock, block)).toEqual({ next: { to: 'fall through' } })
})
