import type { Anchor, GraphEdge, GraphModel } from './graph-model.ts'

interface Point {
  readonly x: number
  readonly y: number
}

interface Curve {
  /** As the attribute `d` of a path. */
  readonly path: string
  readonly middle: Point
  readonly end: Point
}

/** The curve of an edge, from the right side of a node to the left side of another. */
export function curveOf({ from, to }: GraphEdge, { nodes }: GraphModel): Curve | undefined {
  const start = pointAt(from, nodes, 'right')
  const end = pointAt(to, nodes, 'left')
  if (!start || !end) return undefined
  const isBack = end.x < start.x
  const bend = Math.max(40, Math.min(isBack ? 160 : 400, Math.abs(end.x - start.x) / 2))
  const path = `M${start.x} ${start.y}C${start.x + bend} ${start.y} ${end.x - bend} ${end.y} ${end.x} ${end.y}`
  return { path, middle: { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 }, end }
}

function pointAt(
  { nodeId, y }: Anchor,
  nodes: GraphModel['nodes'],
  side: 'left' | 'right',
): Point | undefined {
  const node = nodes.get(nodeId)
  return node && { x: side === 'left' ? node.x : node.x + node.width, y: node.y + y }
}
