import type { PlacedBlock } from '../../model/placed-block.ts'
import { defineRule, type RuleContext } from '../../rule.ts'

/** Edge ids that nothing carries. */
export const danglingEdge = defineRule({
  code: 'dangling-edge',
  severity: 'error',
  title: 'An edge id that no edge has',
  description:
    'A block, an item, a card path or an event names an `outgoingEdgeId` that is not among the `edges`: the path ends there, with an error log. Editors leave such ids behind when an edge is deleted. Connect the block anew, or delete the id.',
  checkFlow({ model, report }) {
    const { flow, program } = model
    // Below version 6 the start is a block, which is looked at as such.
    const events = program.isLegacy ? [] : flow.events
    for (const [index, { outgoingEdgeId }] of events.entries()) {
      if (outgoingEdgeId === undefined || program.edges.has(outgoingEdgeId)) continue
      report({
        pointer: `/events/${index}/outgoingEdgeId`,
        message: messageFor(outgoingEdgeId),
        edgeId: outgoingEdgeId,
      })
    }
  },
  checkBlock(placed, context) {
    const { compiled, pointer } = placed
    const { edges } = context.model.program
    const { edgeId } = compiled
    if (edgeId !== undefined && !edges.has(edgeId)) {
      const path = `${pointer}/outgoingEdgeId`
      // In the middle of a group the block below would come next.
      const fix = { title: 'Delete the edge id', patch: [{ op: 'remove' as const, path }] }
      context.report({
        pointer: path,
        message: messageFor(edgeId),
        edgeId,
        ...(!compiled.following && { fix }),
      })
    }
    checkItems(placed, context)
  },
})

const messageFor = (edgeId: string) => `No edge has the id "${edgeId}": the path ends here.`

function checkItems(placed: PlacedBlock, { model, report }: RuleContext): void {
  if (placed.kind === undefined) return
  for (const { edgeId, pointer } of placed.waysOut) {
    if (edgeId === undefined || model.program.edges.has(edgeId)) continue
    const message = `No edge has the id "${edgeId}" that an item names.`
    report({ pointer: `${pointer}/outgoingEdgeId`, message, edgeId })
  }
}
