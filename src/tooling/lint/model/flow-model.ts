import type { Edge, Flow } from '../../../../schemas/flow.ts'
import type { WayOfLeaving } from '../../../engine/model/block-handler.ts'
import type { Program, Target } from '../../../engine/model/program.ts'
import { buildGraph, type Graph } from './graph/graph.ts'
import { type PlacedBlock, placeBlocks } from './placed-block.ts'
import type { CodeModel } from './server-code.ts'
import type { Surroundings } from './surroundings.ts'
import { VariableUseCollector, type VariableUses } from './variable-uses.ts'

/** An edge with where it leads. */
interface PlacedEdge {
  readonly edge: Edge
  readonly pointer: string
  readonly target: Target
}

/** The edges that count, without those whose id is taken by an earlier one. */
function firstEdges(flow: Flow, program: Program): PlacedEdge[] {
  const seen = new Set<string>()
  return flow.edges.flatMap((edge, index) => {
    const target = program.edges.get(edge.id)
    if (seen.has(edge.id) || !target) return []
    seen.add(edge.id)
    return [{ edge, pointer: `/edges/${index}`, target }]
  })
}

/** A flow as rules read it. */
export interface FlowModel extends CodeModel {
  readonly flow: Flow
  readonly program: Program
  /** The definition as it was sent, with keys that no schema knows. */
  readonly definition: unknown
  /** Whether it names its schema or is in YAML, as files are that no editor has exported. */
  readonly isHandWritten: boolean
  /** In the order of the definition; groups whose id is taken are left out, as they never run. */
  readonly blocks: readonly PlacedBlock[]
  /** The ways of their own in which its blocks leave. */
  readonly leaves: ReadonlySet<WayOfLeaving | undefined>
  /** Those that count, without those whose id is taken. */
  readonly edges: readonly PlacedEdge[]
  readonly graph: Graph
  readonly uses: VariableUses
  /** Answers that a variable can hold, as far as they were asked for. */
  readonly answers: Map<string, ReadonlySet<string> | undefined>
  readonly surroundings: Surroundings
  /** The block at a pointer, or around it. */
  blockAt(pointer: string): PlacedBlock | undefined
}

/** Source of a model. */
export interface ModelSource extends Partial<Pick<FlowModel, 'isHandWritten'>> {
  readonly flow: Flow
  readonly program: Program
  readonly definition: unknown
  readonly surroundings: Surroundings
}

/** Builds the model of a flow; pauses after each block, and prepares it as a walk would. */
export function* buildFlowModel(
  source: ModelSource,
  isOver: () => boolean = () => false,
): Generator<void, FlowModel> {
  const { flow, program } = source
  const blocks: PlacedBlock[] = []
  const collector = new VariableUseCollector(program)
  for (const placed of placeBlocks(flow, program)) {
    blocks.push(placed)
    collector.addBlock(placed)
    yield
    for (const _ of placed.compiled.inspect()) {
      if (isOver()) break
      yield
    }
  }
  collector.addRest(flow)
  yield
  let byPointer: ReadonlyMap<string, PlacedBlock> | undefined
  const graph = buildGraph(flow, program, blocks)
  return {
    ...source,
    isHandWritten: source.isHandWritten ?? Object.hasOwn(Object(source.definition), '$schema'),
    blocks,
    leaves: new Set(blocks.map(({ marks }) => marks.leaves)),
    edges: firstEdges(flow, program),
    graph,
    codeNames: new Map(),
    answers: new Map(),
    uses: collector.uses,
    blockAt(pointer) {
      // Only what is found is looked for by its pointer.
      byPointer ??= new Map(blocks.map((placed) => [placed.pointer, placed]))
      return byPointer.get(/^\/groups\/\d+\/blocks\/\d+/.exec(pointer)?.[0] ?? '')
    },
  }
}
