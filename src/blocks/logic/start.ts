import type { StartBlock } from '../../../schemas/blocks/logic.ts'
import { defineBlock } from '../../engine/model/block-handler.ts'

/** Has no effect: it marks where flows below version 6 start. */
export const startBlock = defineBlock<StartBlock, undefined>({
  types: ['start'],
  kind: 'logic',
  compile: () => undefined,
  run: () => ({ next: { to: 'fall through' } }),
  marks: { changesNothing: true, leaves: 'below first' },
})
