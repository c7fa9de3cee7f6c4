import { blockName } from '../../model/placed-block.ts'
import { defineRule } from '../../rule.ts'

/** Blocks that no path reaches, in groups that are reached. */
export const unreachableBlock = defineRule({
  code: 'unreachable-block',
  severity: 'warning',
  title: 'A block that the block above never goes on to',
  description:
    'The block above always leaves elsewhere (a Jump, an input or a logic block with an edge of its own in the middle of the group), and no edge leads to the block itself. What stands there never happens. Move it up, or lead an edge to it.',
  checkFlow({ model, report }) {
    const { graph } = model
    const led = new Set([...graph.entries, ...model.blocks.flatMap(({ compiled }) => graph.next(compiled))])
    for (const placed of model.blocks) {
      const { following } = placed.compiled
      // Reported once, at the first block of those that are cut off.
      if (!following || led.has(following)) continue
      const below = model.blockAt(following.pointer)
      if (!below || !graph.isReachable(placed.compiled)) continue
      report({
        pointer: following.pointer,
        message: `Nothing leads to ${blockName(below)}: the block above always leaves elsewhere.`,
        related: [{ pointer: placed.pointer, message: 'This block leaves elsewhere.' }],
      })
    }
  },
})
