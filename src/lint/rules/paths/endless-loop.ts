import { type CompiledBlock, targetOf } from '../../../engine/model/program.ts'
import type { FlowModel } from '../../model/flow-model.ts'
import { defineRule } from '../../rule.ts'

/** Loops that no visitor and no decision can leave. Each is reported once, at the block where it closes. */
export const endlessLoop = defineRule({
  code: 'endless-loop',
  severity: 'error',
  title: 'A loop without a question or a decision',
  description:
    'The walk comes back to the block without asking or deciding anything, so that it never ends: the turn is cut off by its budget, and the conversation with it. Ask something on the way, or lead an edge out of the loop.',
  checkFlow({ model, report }) {
    const walked = new Map<CompiledBlock, CompiledBlock>()
    for (const { compiled: start } of model.blocks) {
      let block: CompiledBlock | undefined = start
      while (block && !walked.has(block)) {
        walked.set(block, start)
        block = block.isPassThrough ? onlyWayFrom(block, model) : undefined
      }
      if (!block || walked.get(block) !== start) continue
      const message =
        'From here the flow comes back here without ever asking or deciding anything: it never ends.'
      report({ pointer: block.pointer, message })
    }
  },
})

function onlyWayFrom(block: CompiledBlock, { program }: FlowModel): CompiledBlock | undefined {
  const isBubble = block.handler === undefined || block.handler.kind === 'bubble'
  const edgeId = isBubble && block.following ? undefined : block.edgeId
  if (edgeId === undefined) return block.following
  const target = targetOf(program, edgeId)
  return target?.kind === 'block' ? target.block : undefined
}
