import { defineRule } from '../../rule.ts'

/** Edges of bubbles in the middle of a group. */
export const ignoredBubbleEdge = defineRule({
  code: 'ignored-bubble-edge',
  severity: 'warning',
  title: 'An edge of a bubble in the middle of its group',
  description:
    'The edge of a bubble counts only where it is the last block of its group: elsewhere the block below comes next, and the edge is never taken. Split the group, or move the edge to the last block. An embed that waits for an event is left by its edge, and is not reported.',
  checkBlock({ compiled, kind, pointer }, { report }) {
    if (kind !== 'bubble' || compiled.edgeId === undefined || !compiled.following) return
    if (!compiled.isPassThrough) return
    const path = `${pointer}/outgoingEdgeId`
    report({
      pointer: path,
      message: 'This edge is never taken: the block below comes next.',
      edgeId: compiled.edgeId,
      fix: { title: 'Delete the edge id', patch: [{ op: 'remove', path }] },
    })
  },
})
