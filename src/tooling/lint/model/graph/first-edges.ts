import type { Edge, Flow } from '../../../../../schemas/flow.ts'
import type { Program, Target } from '../../../../engine/model/program.ts'

/** An edge with where it leads. */
export interface PlacedEdge {
  readonly edge: Edge
  readonly pointer: string
  readonly target: Target
}

/** The edges that count, without those whose id is taken by an earlier one. */
export function firstEdges(flow: Flow, program: Program): PlacedEdge[] {
  const seen = new Set<string>()
  return flow.edges.flatMap((edge, index) => {
    const target = program.edges.get(edge.id)
    if (seen.has(edge.id) || !target) return []
    seen.add(edge.id)
    return [{ edge, pointer: `/edges/${index}`, target }]
  })
}
