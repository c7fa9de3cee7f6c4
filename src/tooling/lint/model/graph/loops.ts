import type { CompiledBlock } from '../../../../engine/model/program.ts'
import type { FlowModel } from '../flow-model.ts'
import type { PlacedBlock } from '../placed-block.ts'

interface Visit {
  readonly block: CompiledBlock
  readonly ways: readonly CompiledBlock[]
  readonly index: number
  low: number
  next: number
  isOpen: boolean
}

/**
 * Gathers blocks that lead to each other and back (Tarjan's strongly connected components, without recursion). Whatever
 * leads to another component comes behind it in the list.
 */
export function componentsOf(
  blocks: readonly PlacedBlock[],
  waysFrom: (block: CompiledBlock) => readonly CompiledBlock[],
): CompiledBlock[][] {
  const visits = new Map<CompiledBlock, Visit>()
  const open: Visit[] = []
  const components: CompiledBlock[][] = []

  function begin(block: CompiledBlock): Visit {
    const index = visits.size
    const visit = { block, ways: waysFrom(block), index, low: index, next: 0, isOpen: true }
    visits.set(block, visit)
    open.push(visit)
    return visit
  }

  function close(visit: Visit): void {
    if (visit.low !== visit.index) return
    const component = open.splice(open.lastIndexOf(visit))
    for (const member of component) member.isOpen = false
    components.push(component.map(({ block }) => block))
  }

  for (const { compiled } of blocks) {
    if (visits.has(compiled)) continue
    const trail = [begin(compiled)]
    for (let visit = trail.at(-1); visit; visit = trail.at(-1)) {
      const way = visit.ways[visit.next++]
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
  return components
}

/** The blocks from which a walk can come back to itself without anything being asked, loop by loop. */
export function loopsOf({ blocks, graph }: Pick<FlowModel, 'blocks' | 'graph'>): PlacedBlock[][] {
  const placedOf = new Map(blocks.map((placed) => [placed.compiled, placed]))
  const waysFrom = (block: CompiledBlock) => (placedOf.get(block)?.kind === 'input' ? [] : graph.next(block))
  return componentsOf(blocks, waysFrom)
    .filter((component) => isLoop(component, waysFrom))
    .map((component) => component.flatMap((block) => placedOf.get(block) ?? []))
}

/** Whether a component has more than one block, or one that leads to itself. */
export function isLoop(
  component: readonly CompiledBlock[],
  waysFrom: (block: CompiledBlock) => readonly CompiledBlock[],
): boolean {
  const [first] = component
  return component.length > 1 || (first !== undefined && waysFrom(first).includes(first))
}
