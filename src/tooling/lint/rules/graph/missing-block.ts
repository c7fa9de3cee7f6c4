import { defineRule } from '../../rule.ts'

/** Edges to a block that is not in their group. */
export const missingBlock = defineRule({
  code: 'missing-block',
  severity: 'error',
  title: 'An edge to a block that is not in its group',
  description:
    'The group runs from its top instead, with an error log. Editors leave such edges behind when a block is moved to another group. Lead the edge to a block of the group, or to the group itself.',
  checkFlow({ model, report }) {
    for (const { edge, pointer, target } of model.edges) {
      if (target.kind === 'missing group' || target.missingBlockId === undefined) continue
      const path = `${pointer}/to/blockId`
      report({
        pointer: path,
        message: `Block "${target.missingBlockId}" is not in group "${edge.to.groupId}", which runs from its top instead.`,
        fix: { title: 'Lead the edge to the top of the group', patch: [{ op: 'remove', path }] },
      })
    }
  },
})
