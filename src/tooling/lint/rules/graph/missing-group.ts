import { defineRule } from '../../rule.ts'

/** Edges to a group that is not there. */
export const missingGroup = defineRule({
  code: 'missing-group',
  severity: 'error',
  title: 'An edge to a group that does not exist',
  description:
    'The conversation ends where the edge is taken, with an error log, flows behind links included. Lead the edge to a group that exists, or delete it.',
  checkFlow({ model, report }) {
    for (const { edge, pointer, target } of model.edges) {
      if (target.kind !== 'missing group') continue
      report({ pointer: `${pointer}/to/groupId`, message: `No group has the id "${edge.to.groupId}".` })
    }
  },
})
