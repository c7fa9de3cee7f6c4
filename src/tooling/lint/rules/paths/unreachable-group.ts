import { isGroupTitle } from '../../model/graph/graph.ts'
import { defineRule } from '../../rule.ts'

/** Groups that no edge, jump or link leads to; a flow that jumps by title may reach any. */
export const unreachableGroup = defineRule({
  code: 'unreachable-group',
  severity: 'warning',
  title: 'A group that nothing leads to',
  description:
    'No edge, jump or link leads to the group, so that no visitor ever sees it. Often the edge to it was lost. Connect it, or delete it. Nothing is reported in a flow that jumps to titles which only a conversation knows.',
  checkFlow({ model, report }) {
    const { flow, program } = model
    const reached = new Set<string>()
    for (const target of program.edges.values()) {
      if (target.kind === 'block') reached.add(target.block.group.id)
      if (target.kind === 'empty group') reached.add(target.group.id)
    }
    for (const { block } of model.blocks) {
      const groupId =
        'options' in block ? (block.options as { groupId?: unknown } | undefined)?.groupId : undefined
      if (typeof groupId !== 'string') continue
      if (isGroupTitle(groupId, program)) return
      reached.add(groupId)
    }
    // The first group of an old flow is where it starts.
    if (program.isLegacy && flow.groups[0]) reached.add(flow.groups[0].id)
    for (const [index, { id, title }] of flow.groups.entries()) {
      if (reached.has(id)) continue
      report({ pointer: `/groups/${index}`, message: `Nothing leads to group "${title ?? id}".` })
    }
  },
})
