import type { CompiledBlock } from '../../../../engine/model/program.ts'
import type { FlowModel } from '../../model/flow-model.ts'
import { isGroupTitle } from '../../model/graph/graph.ts'
import type { PlacedBlock } from '../../model/placed-block.ts'
import { defineRule } from '../../rule.ts'

/** Loops that no visitor and no decision can leave. Each is reported once, at the block where it closes. */
export const endlessLoop = defineRule({
  code: 'endless-loop',
  severity: 'error',
  title: 'A loop without a question or a decision',
  description:
    'The walk comes back to the block without asking or deciding anything, along edges or by jumps, so that it never ends: the turn is cut off by its budget, and the conversation with it. Ask something on the way, or lead out of the loop.',
  checkFlow({ model, report }) {
    const onlyWays = new Map(model.blocks.map((placed) => [placed.compiled, onlyWayFrom(placed, model)]))
    const walked = new Map<CompiledBlock, CompiledBlock>()
    for (const start of onlyWays.keys()) {
      let block: CompiledBlock | undefined = start
      while (block && !walked.has(block)) {
        walked.set(block, start)
        block = onlyWays.get(block)
      }
      if (!block || walked.get(block) !== start) continue
      const message =
        'From here the flow comes back here without ever asking or deciding anything: it never ends.'
      report({ pointer: block.pointer, message })
    }
  },
})

/** The only block that a walk can go to from a block; undefined where there are several. */
function onlyWayFrom(
  { block, compiled, marks }: PlacedBlock,
  { graph, program }: FlowModel,
): CompiledBlock | undefined {
  if (compiled.isPassThrough) return graph.defaultNext(compiled)
  if (marks.leaves !== 'by jump') return undefined
  const { groupId } = marks.leadsTo?.(block) ?? {}
  if (groupId && isGroupTitle(groupId, program)) return undefined
  const [way, ...others] = graph.next(compiled)
  return others.length === 0 ? way : undefined
}
