import type { GraphModel } from '../../../src/tooling/flow-graph/graph-model.ts'

/** The block that a key leads to from another one; undefined where it leads nowhere. */
export function nextBlock({ nodes, edges }: GraphModel, blockId: string, key: string): string | undefined {
  const node = [...nodes.values()].find(({ rows }) => rows.some((row) => row.blockId === blockId))
  const blocks = node?.rows.filter(({ kind }) => kind === 'block') ?? []
  const at = blocks.findIndex((row) => row.blockId === blockId)
  const firstOf = (nodeId: string, target: string | undefined) =>
    target ?? nodes.get(nodeId)?.rows[0]?.blockId
  switch (key) {
    case 'ArrowDown':
      return blocks[at + 1]?.blockId
    case 'ArrowUp':
      return blocks[at - 1]?.blockId
    case 'ArrowRight': {
      const own = edges.find(({ from }) => from.blockId === blockId)
      const way = own ?? edges.find(({ from }) => from.nodeId === node?.id)
      return way && firstOf(way.to.nodeId, way.to.blockId)
    }
    case 'ArrowLeft':
      return edges.find(({ to, from }) => to.nodeId === node?.id && from.blockId !== undefined)?.from.blockId
    default:
      return blockId
  }
}
