import { defineRule } from '../../rule.ts'

/** Groups without blocks that something leads to. */
export const emptyGroup = defineRule({
  code: 'empty-group',
  severity: 'info',
  title: 'A way into a group without blocks',
  description:
    'A path ends at a group that holds nothing. Fill the group, or lead the edges to it elsewhere.',
  checkFlow({ model, report }) {
    const entered = new Set(
      [...model.program.edges.values()].flatMap((target) =>
        target.kind === 'empty group' ? [target.group.id] : [],
      ),
    )
    for (const [index, { id, title, blocks }] of model.flow.groups.entries()) {
      if (blocks.length > 0 || !entered.has(id)) continue
      report({ pointer: `/groups/${index}`, message: `Group "${title ?? id}" is empty: paths end here.` })
    }
  },
})
