import type { Flow } from '../../../../../schemas/flow.ts'
import type { WayOfLeaving } from '../../../../engine/model/block-handler.ts'
import {
  type CompiledBlock,
  type Program,
  type Target,
  targetOf,
  topOf,
} from '../../../../engine/model/program.ts'
import { parseTemplate } from '../../../../engine/templates/parse-template.ts'
import { findGroup } from '../../../../engine/walk/find-group.ts'
import { itemEdgesOf, type PlacedBlock } from '../placed-block.ts'

/** Whether a name of a group is one placeholder, which holds a title that is known only to a conversation. */
export function isGroupTitle(name: string, program: Program): boolean {
  return parseTemplate(name, program.variables).lone !== undefined
}

export type Graph = ReturnType<typeof buildGraph>

const blockAt = (target: Target | undefined): CompiledBlock | undefined =>
  target?.kind === 'block' ? target.block : undefined

const nowhere: readonly CompiledBlock[] = []

/** Whether what follows in the group comes before the own edge. */
const fallsThrough = ({ handler }: CompiledBlock): boolean =>
  handler === undefined || handler.kind === 'bubble' || handler.marks?.leaves === 'below first'

/**
 * Finds the successors of each block. More than a visitor may ever reach, and never fewer: a jump by title leads to every group, a
 * Return behind every jump.
 */
export function buildGraph(flow: Flow, program: Program, blocks: readonly PlacedBlock[]) {
  const inGroup = (block: CompiledBlock) => block.following ?? blockAt(targetOf(program, block.edgeId))
  const byEdge = (block: CompiledBlock) =>
    block.edgeId === undefined ? block.following : blockAt(targetOf(program, block.edgeId))
  const defaultNext = (block: CompiledBlock) => (fallsThrough(block) ? inGroup(block) : byEdge(block))
  const tops = [...program.groups.values()].flatMap((group) => blockAt(topOf(group)) ?? [])
  const leaving = (way: WayOfLeaving) =>
    blocks.filter(({ marks }) => marks.leaves === way).map(({ compiled }) => compiled)
  const jumpsOn = leaving('by jump')
  // Of many blocks that lead to many places all but the first lead through the first.
  const [firstReturn] = leaving('by return')
  const hasReturn = firstReturn !== undefined
  let byTitle: CompiledBlock | undefined

  function named({ block, compiled, marks }: PlacedBlock): readonly (CompiledBlock | undefined)[] {
    const { groupId, blockId } = marks.leadsTo?.(block) ?? {}
    if (!groupId) return marks.leaves === 'by jump' ? [inGroup(compiled)] : []
    if (isGroupTitle(groupId, program)) {
      byTitle ??= compiled
      return byTitle === compiled ? tops : [byTitle]
    }
    const group = findGroup(program, 'id', groupId)
    return [blockAt(blockId ? group?.block(blockId) : group?.target)]
  }

  function waysFrom(placed: PlacedBlock): readonly CompiledBlock[] {
    const { compiled } = placed
    const { leaves } = placed.marks
    if (placed.waysOut.length === 0 && (leaves === undefined || leaves === 'below first')) {
      const next = defaultNext(compiled)
      return next ? [next] : nowhere
    }
    const items = itemEdgesOf(placed).map((edgeId) => blockAt(targetOf(program, edgeId)))
    const ways = [...items, ...named(placed)]
    if (leaves !== 'by jump' || hasReturn) ways.push(defaultNext(compiled))
    if (leaves === 'by return') {
      ways.push(inGroup(compiled), ...(compiled === firstReturn ? jumpsOn.map(defaultNext) : [firstReturn]))
    }
    // A bubble that waits is left like any other block that does; a draw without an edge falls through.
    if (leaves === 'by edge or below') ways.push(byEdge(compiled), inGroup(compiled))
    return [...new Set(ways)].filter((way) => way !== undefined)
  }

  const ways = new Map(blocks.map((placed) => [placed.compiled, waysFrom(placed)]))
  const entries = entriesOf(flow, program)
  const reachable = reachableFrom(entries, ways)
  return {
    /** The blocks that may come next. */
    next: (block: CompiledBlock): readonly CompiledBlock[] => ways.get(block) ?? [],
    /** The block that comes next where nothing is decided: by the own edge or below. */
    defaultNext,
    /** The blocks at which a walk can begin: behind the start and behind events. */
    entries,
    /** Whether the block can be met by a walk. */
    isReachable: (block: CompiledBlock) => reachable.has(block),
  }
}

function entriesOf(flow: Flow, program: Program): CompiledBlock[] {
  const edgeIds = [
    program.startEdgeId,
    ...(program.isLegacy ? [] : flow.events.map((event) => event.outgoingEdgeId)),
  ]
  const entries = edgeIds.flatMap((edgeId) => blockAt(targetOf(program, edgeId)) ?? [])
  const [first] = program.groups.values()
  // An old flow starts by the edge of its first block, which is not met itself.
  const top = program.isLegacy ? first?.blocks[0] : undefined
  return top ? [...entries, top] : entries
}

/** Every block that can be met from some, those included. */
export function reachableFrom(
  from: readonly CompiledBlock[],
  ways: ReadonlyMap<CompiledBlock, readonly CompiledBlock[]>,
): Set<CompiledBlock> {
  const reached = new Set(from)
  // A set that grows is iterated to its end.
  for (const block of reached) for (const next of ways.get(block) ?? []) reached.add(next)
  return reached
}
