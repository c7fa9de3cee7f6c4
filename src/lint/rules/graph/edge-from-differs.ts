import type { Edge } from '../../../../schemas/flow.ts'
import { firstEdges } from '../../model/first-edges.ts'
import type { FlowModel } from '../../model/flow-model.ts'
import { defineRule } from '../../rule.ts'

interface Source {
  readonly pointer: string
  readonly ids: ReadonlySet<string>
}

/** Edges that editors draw elsewhere than they are taken. */
export const edgeFromDiffers = defineRule({
  code: 'edge-from-differs',
  severity: 'info',
  title: 'An edge that is drawn from elsewhere than it is taken',
  description:
    'What counts is who names the edge as its `outgoingEdgeId`; `from`, which editors draw, says another source. Whoever looks at the flow in an editor sees a way that does not exist. Correct `from`, or the `outgoingEdgeId`.',
  checkFlow({ model, report }) {
    const sources = sourcesByEdge(model)
    for (const { edge, pointer } of firstEdges(model)) {
      const named = sources.get(edge.id)
      const from = idOfFrom(edge)
      if (!named || from === undefined || named.some(({ ids }) => ids.has(from))) continue
      report({
        pointer: `${pointer}/from`,
        message: `This edge is drawn from "${from}", and taken from elsewhere.`,
        related: named
          .slice(0, 5)
          .map((source) => ({ pointer: source.pointer, message: 'It is taken from here.' })),
      })
    }
  },
})

/** The most exact of the ids that a source is drawn by. */
function idOfFrom({ from }: Edge): string | undefined {
  return from?.pathId ?? from?.itemId ?? from?.blockId ?? from?.eventId
}

function sourcesByEdge({ flow, blocks }: FlowModel): ReadonlyMap<string, readonly Source[]> {
  const byEdge = new Map<string, Source[]>()
  const add = (edgeId: string | undefined, source: Source) => {
    if (edgeId === undefined) return
    const known = byEdge.get(edgeId)
    if (known) known.push(source)
    else byEdge.set(edgeId, [source])
  }
  for (const [index, event] of flow.events.entries()) {
    add(event.outgoingEdgeId, { pointer: `/events/${index}`, ids: new Set([event.id]) })
  }
  for (const placed of blocks) {
    const { block, compiled, pointer } = placed
    add(compiled.edgeId, { pointer, ids: new Set([block.id]) })
    for (const way of placed.waysOut) {
      add(way.edgeId, { pointer: way.pointer, ids: new Set([block.id, ...way.ids]) })
    }
  }
  return byEdge
}
