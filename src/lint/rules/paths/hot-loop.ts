import type { CompiledBlock } from '../../../engine/model/program.ts'
import type { FlowModel } from '../../model/flow-model.ts'
import { loopsOf } from '../../model/loops.ts'
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
    if (!model.blockTypes.has('Condition')) return
    for (const loop of loopsOf(model)) {
      const conditions = loop.filter(({ block }) => block.type === 'Condition')
      if (conditions.length === 0 || loop.some(mayChangeAnything)) continue
      if (!isLeftByConditionsOnly(loop, model)) continue
      const [first] = conditions
      if (!first) continue
      report({
        pointer: first.pointer,
        message: 'This loop asks nothing, and nothing in it writes what this condition looks at.',
        related: loop.slice(0, 10).map(({ pointer }) => ({ pointer, message: 'Part of the loop.' })),
      })
    }
  },
})

/** What waits, draws, writes, or comes back changed: what happens then is not known. */
const openTypes = new Set([
  'Set variable',
  'AB test',
  'Flow link',
  'Jump',
  'Return',
  'Wait',
  'Code',
  'embed',
  'webhook',
  'Webhook',
])

function mayChangeAnything({ block, kind }: PlacedBlock): boolean {
  return kind === 'input' || (kind === 'integration' && block.type !== 'Email') || openTypes.has(block.type)
}

function isLeftByConditionsOnly(loop: readonly PlacedBlock[], { graph }: FlowModel): boolean {
  const inside = new Set<CompiledBlock>(loop.map(({ compiled }) => compiled))
  return loop.every(
    ({ block, compiled }) =>
      block.type === 'Condition' || graph.next(compiled).every((next) => inside.has(next)),
  )
}
