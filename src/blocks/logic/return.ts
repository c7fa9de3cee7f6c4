import type { ReturnBlock } from '../../../schemas/blocks/logic.ts'
import { defineBlock } from '../../engine/model/block-handler.ts'

/** Goes back behind the last jump (docs/behaviour/walk.md, "Jumps and returns"). */
export const returnBlock = defineBlock<ReturnBlock, undefined>({
  types: ['Return'],
  kind: 'logic',
  compile: () => undefined,
  run: () => ({ next: { to: 'return' } }),
  marks: { leaves: 'by return' },
})
