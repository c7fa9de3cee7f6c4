import type { GraphEdge, GraphModel, GraphNode } from '../../../src/tooling/flow-graph/graph-model.ts'

/** How the drawing lies under the window: a point of it is at `x + scale * point`. */
export interface Viewport {
  readonly x: number
  readonly y: number
  readonly scale: number
}

export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export type WindowSize = Pick<Rectangle, 'width' | 'height'>
type Point = Pick<Rectangle, 'x' | 'y'>

/** A scale at which rows are read with ease. */
const readable = 0.75

const scales = { least: 0.05, most: 2 } as const

/** How much of a node can be read. */
export type Detail = 'rows' | 'titles' | 'cards'

export const detailOf = ({ scale }: Viewport): Detail =>
  scale >= 0.5 ? 'rows' : scale >= 0.16 ? 'titles' : 'cards'

/** The size of a title that stands alone: the same for the eye however far it is, in steps, as each draws all anew. */
export const titleSizeAt = ({ scale }: Viewport): number => Math.ceil(11 / scale / 4) * 4

const clamp = (scale: number) => Math.min(scales.most, Math.max(scales.least, scale))

/** Makes the drawing larger or smaller around a point of the window, which stays where it is. */
export function zoom(viewport: Viewport, factor: number, { x, y }: Point): Viewport {
  const scale = clamp(viewport.scale * factor)
  const ratio = scale / viewport.scale
  return { scale, x: x - (x - viewport.x) * ratio, y: y - (y - viewport.y) * ratio }
}

export const pan = (viewport: Viewport, dx: number, dy: number): Viewport => ({
  ...viewport,
  x: viewport.x + dx,
  y: viewport.y + dy,
})

/** Shows all of it, no larger than it is. */
export function fitTo(bounds: Rectangle, window: WindowSize): Viewport {
  const margin = 24
  const wide = (window.width - 2 * margin) / Math.max(1, bounds.width)
  const high = (window.height - 2 * margin) / Math.max(1, bounds.height)
  const scale = Math.min(1, clamp(Math.min(wide, high)))
  return {
    scale,
    x: (window.width - bounds.width * scale) / 2 - bounds.x * scale,
    y: (window.height - bounds.height * scale) / 2 - bounds.y * scale,
  }
}

/** Shows all of it where its titles can be read, else the part that matters, readable, with what follows to its right. */
export function begin(bounds: Rectangle, part: Rectangle | undefined, window: WindowSize): Viewport {
  const whole = fitTo(bounds, window)
  if (detailOf(whole) !== 'cards' || !part) return whole
  const scale = readable
  return { scale, x: window.width / 8 - part.x * scale, y: window.height / 3 - part.y * scale }
}

/** Brings a part of the drawing into sight; the same viewport where it is seen already. */
export function reveal(viewport: Viewport, part: Rectangle, window: WindowSize): Viewport {
  const { scale } = viewport
  const left = viewport.x + part.x * scale
  const top = viewport.y + part.y * scale
  const isSeen =
    left >= 0 &&
    top >= 0 &&
    left + part.width * scale <= window.width &&
    top + part.height * scale <= window.height
  return isSeen ? viewport : centreOn(viewport, part, window)
}

/** As `reveal`, at a scale at which rows can be read. */
export function approach(viewport: Viewport, part: Rectangle, window: WindowSize): Viewport {
  if (detailOf(viewport) === 'rows') return reveal(viewport, part, window)
  return centreOn({ ...viewport, scale: readable }, part, window)
}

/** Brings a part of the drawing into the middle. */
export function centreOn(viewport: Viewport, part: Rectangle, window: WindowSize): Viewport {
  const { scale } = viewport
  return {
    scale,
    x: window.width / 2 - (part.x + part.width / 2) * scale,
    y: window.height / 2 - (part.y + part.height / 2) * scale,
  }
}

/** The rectangle around all nodes. */
export function boundsOf(nodes: Iterable<GraphNode>): Rectangle {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { x, y, width, height } of nodes) {
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x + width)
    bottom = Math.max(bottom, y + height)
  }
  return left > right
    ? { x: 0, y: 0, width: 1, height: 1 }
    : { x: left, y: top, width: right - left, height: bottom - top }
}

/** What is drawn at once, at most: a page with more elements would stand still. */
export const mostDrawn = { nodes: 800, edges: 1_600 } as const

export interface VisibleParts {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
  readonly of: GraphModel
}

/** What of a graph is in sight, or near it. */
export function visibleParts(model: GraphModel, { x, y, scale }: Viewport, window: WindowSize): VisibleParts {
  const { nodes, edges } = model
  const margin = 200
  const left = -x / scale - margin
  const top = -y / scale - margin
  const right = left + window.width / scale + 2 * margin
  const bottom = top + window.height / scale + 2 * margin
  const isNear = (part: Rectangle) =>
    part.x < right && part.x + part.width > left && part.y < bottom && part.y + part.height > top
  const shown: GraphNode[] = []
  for (const node of nodes.values()) {
    if (isNear(node)) shown.push(node)
    if (shown.length === mostDrawn.nodes) break
  }
  const ways: GraphEdge[] = []
  for (const edge of edges) {
    const from = nodes.get(edge.from.nodeId)
    const to = nodes.get(edge.to.nodeId)
    if (from && to && isNear(boundsOf([from, to]))) ways.push(edge)
    if (ways.length === mostDrawn.edges) break
  }
  return { nodes: shown, edges: ways, of: model }
}
