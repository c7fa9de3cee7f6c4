import type { CompiledBlock } from '../../../../engine/model/program.ts'
import type { FlowModel } from '../../model/flow-model.ts'
import { loopsOf } from '../../model/graph/loops.ts'
import type { PlacedBlock } from '../../model/placed-block.ts'
import { defineRule } from '../../rule.ts'

/** Loops that only conditions can leave, about variables that nothing in the loop changes. */
export const hotLoop = defineRule({
  code: 'hot-loop',
  severity: 'warning',
  title: 'A loop whose conditions nothing in it can change',
  description:
    'The loop asks nothing, and is left by conditions only; but nothing inside it writes a variable that they look at: once it is entered without leaving at once, it runs until the budget of the turn cuts it off. A counter that is never increased looks so. Write the variable inside the loop, or ask something.',
  checkFlow({ model, report }) {
    if (!model.blocks.some(({ marks }) => marks.decides)) return
    for (const loop of loopsOf(model)) {
      const first = loop.find(({ marks }) => marks.decides)
      if (!first || !loop.every(({ marks }) => marks.changesNothing)) continue
      if (!isLeftByConditionsOnly(loop, model)) continue
      report({
        pointer: first.pointer,
        message: 'This loop asks nothing, and nothing in it writes what this condition looks at.',
        related: loop.slice(0, 10).map(({ pointer }) => ({ pointer, message: 'Part of the loop.' })),
      })
    }
  },
})

function isLeftByConditionsOnly(loop: readonly PlacedBlock[], { graph }: FlowModel): boolean {
  const inside = new Set<CompiledBlock>(loop.map(({ compiled }) => compiled))
  return loop.every(
    ({ marks, compiled }) => marks.decides || graph.next(compiled).every((next) => inside.has(next)),
  )
}
