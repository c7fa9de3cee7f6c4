import type { Edge } from '../../../../../schemas/flow.ts'
import { defineRule } from '../../rule.ts'

/** Edges that editors draw elsewhere than they are taken. */
export const edgeFromDiffers = defineRule({
  code: 'edge-from-differs',
  severity: 'info',
  title: 'An edge that is drawn from elsewhere than it is taken',
  description:
    'What counts is who names the edge as its `outgoingEdgeId`; `from`, which editors draw, says another source. Whoever looks at the flow in an editor sees a way that does not exist. Correct `from`, or the `outgoingEdgeId`.',
  checkFlow({ model, report }) {
    const drawn = new Map<string, DrawnEdge>()
    for (const { edge, pointer } of model.edges) {
      const from = idOfFrom(edge)
      if (from !== undefined) drawn.set(edge.id, { from, pointer, takenFrom: [], isRight: false })
    }
    for (const [index, event] of model.flow.events.entries()) {
      const edge = findDrawn(drawn, event.outgoingEdgeId)
      if (edge?.from === event.id) edge.isRight = true
      else edge?.takenFrom.push(`/events/${index}`)
    }
    for (const { block, compiled, pointer, waysOut } of model.blocks) {
      const edge = findDrawn(drawn, compiled.edgeId)
      if (edge?.from === block.id) edge.isRight = true
      else edge?.takenFrom.push(pointer)
      for (const way of waysOut) {
        const wayEdge = findDrawn(drawn, way.edgeId)
        if (wayEdge && (wayEdge.from === block.id || way.ids.includes(wayEdge.from))) wayEdge.isRight = true
        else wayEdge?.takenFrom.push(way.pointer)
      }
    }
    for (const { from, pointer, takenFrom, isRight } of drawn.values()) {
      if (isRight || takenFrom.length === 0) continue
      report({
        pointer: `${pointer}/from`,
        message: `This edge is drawn from "${from}", and taken from elsewhere.`,
        related: takenFrom.slice(0, 5).map((at) => ({ pointer: at, message: 'It is taken from here.' })),
      })
    }
  },
})

/** An edge as editors draw it. */
interface DrawnEdge {
  readonly from: string
  readonly pointer: string
  /** Other places that name it as theirs. */
  readonly takenFrom: string[]
  isRight: boolean
}

const findDrawn = (drawn: ReadonlyMap<string, DrawnEdge>, edgeId: string | undefined) =>
  edgeId === undefined ? undefined : drawn.get(edgeId)

/** The most exact of the ids that a source is drawn by. */
function idOfFrom({ from }: Edge): string | undefined {
  return from?.pathId ?? from?.itemId ?? from?.blockId ?? from?.eventId
}
