import { defineRule } from '../../rule.ts'

/** Conditions that end the conversation where none of their items holds. */
export const conditionWithoutElse = defineRule({
  code: 'condition-without-else',
  severity: 'warning',
  title: 'A condition that leads nowhere when nothing holds',
  description:
    'The last block of a group is a condition without an edge of its own: where none of its items holds, the conversation ends. That is seldom meant, as values come that nobody thought of. Give the block an edge for everything else. Nothing is reported in a group that a Flow link or a Jump leads into and that comes back, nor where an item certainly holds.',
  checkBlock(placed, { model, report }) {
    const { compiled, marks, pointer, waysOut } = placed
    if (!marks.decides || waysOut.length === 0) return
    if (compiled.edgeId !== undefined || compiled.following) return
    const comesBack = model.leaves.has('by link') || model.leaves.has('by return')
    if (comesBack || waysOut.some(({ edgeId }) => edgeId === undefined)) return
    report({
      pointer,
      message: 'When no item holds, the conversation ends here: there is no way for everything else.',
    })
  },
})
