import { defineRule } from '../../rule.ts'

/** Edges that nothing names. */
export const orphanEdge = defineRule({
  code: 'orphan-edge',
  severity: 'info',
  title: 'An edge that nothing names',
  description:
    'No block, item, card path or event has the id of the edge as its `outgoingEdgeId`, so that it is never taken: `from` is not read. Editors leave such edges behind. Delete it, or name it where it should be taken.',
  checkFlow({ model, report }) {
    const named = new Set<string | undefined>(model.flow.events.map((event) => event.outgoingEdgeId))
    for (const placed of model.blocks) {
      named.add(placed.compiled.edgeId)
      for (const { edgeId } of placed.waysOut) named.add(edgeId)
    }
    for (const { edge, pointer } of model.edges) {
      if (named.has(edge.id)) continue
      const fix = { title: 'Delete the edge', patch: [{ op: 'remove' as const, path: pointer }] }
      report({ pointer, message: 'Nothing leaves along this edge.', fix })
    }
  },
})
