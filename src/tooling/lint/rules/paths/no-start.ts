import { defineRule } from '../../rule.ts'

/** A start that is not connected. */
export const noStart = defineRule({
  code: 'no-start',
  severity: 'warning',
  title: 'A start that leads nowhere',
  description:
    'Visitors see nothing at all: the start event has no edge, or, below version 6, the first block of the first group has none. Connect it to the group that comes first.',
  checkFlow({ model, report }) {
    if (model.program.startEdgeId !== undefined) return
    const pointer = model.program.isLegacy ? '/groups' : '/events/0'
    report({ pointer, message: 'The start leads nowhere: connect it to a group.' })
  },
})
