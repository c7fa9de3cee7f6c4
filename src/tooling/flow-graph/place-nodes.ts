import type { Anchor, GraphModel, GraphNode } from './graph-model.ts'

const gap = { column: 120, row: 60 } as const

/**
 * The same graph with its nodes in columns, each as far to the right as steps lead to it, where they say no place
 * themselves: flows that no editor made. A library for that is as large as the rest of the graph.
 */
export function placeNodes(model: GraphModel): GraphModel {
  if (model.isPlaced) return model
  const nodes = new Map<string, GraphNode>()
  const sources = firstSources(model)
  let x = 0
  for (const column of columnsOf(model)) {
    const height = column.reduce((sum, node) => sum + node.height + gap.row, -gap.row)
    let y = -height / 2
    // In the order of what leads to them fewer edges cross.
    const heightOf = ({ id }: GraphNode) => {
      const source = sources.get(id)
      return (nodes.get(source?.nodeId ?? '')?.y ?? 0) + (source?.y ?? 0)
    }
    const heights = new Map(column.map((node) => [node, heightOf(node)]))
    for (const node of column.sort((one, other) => (heights.get(one) ?? 0) - (heights.get(other) ?? 0))) {
      nodes.set(node.id, { ...node, x, y })
      y += node.height + gap.row
    }
    x += column.reduce((widest, { width }) => Math.max(widest, width), 0) + gap.column
  }
  return { ...model, nodes }
}

/** Nodes by how many edges lead to them from where the flow, or an event, begins; then what no edge leads to, as jumps do. */
function columnsOf({ nodes, edges }: GraphModel): GraphNode[][] {
  const targets = new Map<string, string[]>()
  const reached = new Set<string>()
  for (const { from, to } of edges) {
    const known = targets.get(from.nodeId)
    if (known) known.push(to.nodeId)
    else targets.set(from.nodeId, [to.nodeId])
    if (from.nodeId !== to.nodeId) reached.add(to.nodeId)
  }
  const columns: GraphNode[][] = []
  const placed = new Set<string>()
  const add = (ids: readonly string[]) => {
    for (let column = ids; column.length > 0; ) {
      for (const id of column) placed.add(id)
      columns.push(column.flatMap((id) => nodes.get(id) ?? []))
      const following = new Set(column.flatMap((id) => targets.get(id) ?? []))
      column = [...following].filter((id) => !placed.has(id))
    }
  }
  const unreached = [...nodes.values()].filter(({ id }) => !reached.has(id))
  const begins = unreached.filter(({ kind, rows }) => kind === 'event' || rows[0]?.type === 'start')
  add(begins.map(({ id }) => id))
  add(unreached.filter(({ id }) => !placed.has(id)).map(({ id }) => id))
  // Only circles are left, which begin anywhere.
  for (const id of nodes.keys()) if (!placed.has(id)) add([id])
  return columns
}

/** The first edge that leads to each node. */
function firstSources({ edges }: GraphModel): ReadonlyMap<string, Anchor> {
  const sources = new Map<string, Anchor>()
  for (const { from, to } of edges) if (!sources.has(to.nodeId)) sources.set(to.nodeId, from)
  return sources
}
