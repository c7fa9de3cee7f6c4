import type { CompiledBlock } from '../../engine/model/program.ts'
import type { FlowModel } from './flow-model.ts'
import type { PlacedBlock } from './placed-block.ts'

interface Visit {
  readonly block: CompiledBlock
  readonly index: number
  low: number
  next: number
  isOpen: boolean
}

/**
 * The blocks from which a walk can come back to itself without anything being asked, gathered by loops that hang
 * together (Tarjan's strongly connected components, without recursion).
 */
export function loopsOf({ blocks, graph }: Pick<FlowModel, 'blocks' | 'graph'>): PlacedBlock[][] {
  const placedOf = new Map(blocks.map((placed) => [placed.compiled, placed]))
  const waits = (block: CompiledBlock) => placedOf.get(block)?.kind === 'input'
  const waysFrom = (block: CompiledBlock) => (waits(block) ? [] : graph.next(block))
  const visits = new Map<CompiledBlock, Visit>()
  const open: Visit[] = []
  const loops: PlacedBlock[][] = []

  function begin(block: CompiledBlock): Visit {
    const visit = { block, index: visits.size, low: visits.size, next: 0, isOpen: true }
    visits.set(block, visit)
    open.push(visit)
    return visit
  }

  function close(visit: Visit): void {
    if (visit.low !== visit.index) return
    const component = open.splice(open.lastIndexOf(visit))
    for (const member of component) member.isOpen = false
    const isLoop = component.length > 1 || waysFrom(visit.block).includes(visit.block)
    if (isLoop) loops.push(component.flatMap(({ block }) => placedOf.get(block) ?? []))
  }

  for (const { compiled } of blocks) {
    if (visits.has(compiled)) continue
    const trail = [begin(compiled)]
    for (let visit = trail.at(-1); visit; visit = trail.at(-1)) {
      const way = waysFrom(visit.block)[visit.next++]
      if (way === undefined) {
        trail.pop()
        const above = trail.at(-1)
        if (above) above.low = Math.min(above.low, visit.low)
        close(visit)
        continue
      }
      const known = visits.get(way)
      if (!known) trail.push(begin(way))
      else if (known.isOpen) visit.low = Math.min(visit.low, known.index)
    }
  }
  return loops
}
