import type { Edge } from '../../../../../schemas/flow.ts'
import { defineRule, type Rule } from '../../rule.ts'

const ignoredBubbleEdge = defineRule({
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

const orphanEdge = defineRule({
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

const edgeFromDiffers = defineRule({
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

/** Rules about edges that no walk takes, or that say where they come from otherwise than blocks do. */
export const needlessEdgeRules: readonly Rule[] = [ignoredBubbleEdge, orphanEdge, edgeFromDiffers]
