import type { Flow } from '../../../../schemas/flow.ts'
import type { Program } from '../../../engine/model/program.ts'
import { entryTargetOf } from '../../../engine/walk/find-group.ts'
import type { FlowModel } from './flow-model.ts'
import { buildGraph, reachableFrom } from './graph/graph.ts'
import { placeBlocks } from './placed-block.ts'
import type { NeighbourFlow } from './surroundings.ts'

/** A flow that is, or would be, published. */
interface PublishableFlow {
  readonly flow: Flow
  readonly program: Program
  readonly publicId: string
  readonly isClosed: boolean
  readonly isArchived: boolean
}

/** Parts of another flow that rules about links use. */
export function neighbourOf({
  flow,
  program,
  publicId,
  isClosed,
  isArchived,
}: PublishableFlow): NeighbourFlow {
  let linksAtOnce: readonly string[] | undefined
  const entry = entryTargetOf(program)
  return {
    id: flow.id,
    publicId,
    isClosed,
    isArchived,
    groupIds: new Set(flow.groups.map(({ id }) => id)),
    hasStart: entry !== undefined && entry.kind !== 'missing group',
    // Few flows are asked for these.
    get linksAtOnce() {
      linksAtOnce ??= linksBeforeInputs(walkable(flow, program))
      return linksAtOnce
    },
  }
}

type Walkable = Pick<FlowModel, 'program' | 'blocks' | 'graph'>

function walkable(flow: Flow, program: Program): Walkable {
  const blocks = [...placeBlocks(flow, program)]
  return { program, blocks, graph: buildGraph(flow, program, blocks) }
}

/** The flows that can be entered from the start of a flow without a question in between. */
export function linksBeforeInputs({ program, blocks, graph }: Walkable): string[] {
  const ways = new Map(
    blocks.map(({ kind, compiled }) => [compiled, kind === 'input' ? [] : graph.next(compiled)]),
  )
  const entry = entryTargetOf(program)
  const met = reachableFrom(entry?.kind === 'block' ? [entry.block] : [], ways)
  return blocks.flatMap(({ block, compiled, marks }) => {
    const flowId = marks.leadsTo?.(block).flowId
    return flowId && met.has(compiled) ? [flowId] : []
  })
}
