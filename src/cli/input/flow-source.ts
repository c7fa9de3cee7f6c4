import type { Flow } from '../../../schemas/flow.ts'
import { readDefinition } from '../../definition/read-definition.ts'
import { type FlowText, flowFileName, readFlowText } from '../../definition/read-flow-text.ts'
import { compileFlow } from '../../engine/compile/compile-flow.ts'
import type { BlockRegistry } from '../../engine/model/block-handler.ts'
import type { Program } from '../../engine/model/program.ts'
import { lineOfProblem, type Problem, problemsOf, ServiceError } from '../../lib/errors.ts'
import type { Range } from '../../lib/text-lines.ts'
import { oneLine } from '../output/plain-text.ts'
import { readNamedFile } from './read-text-file.ts'

/** Something that is wrong with a flow, with its place in the text of its file. */
interface PlacedProblem extends Problem {
  readonly range: Range
}

/** A file of a flow, in either form, as far as it can be read. */
export interface FlowSource extends Pick<FlowText, 'definition' | 'rangeOf'> {
  /** As it was named, with slashes. */
  readonly path: string
  readonly text: string
  /** That of the flow, else the name of the file. */
  readonly publicId: string
  /** Undefined where there are problems. */
  readonly flow: Flow | undefined
  /** Reasons for which no start takes it. */
  readonly problems: readonly PlacedProblem[]
}

/** A flow that can be run. */
export interface RunnableSource extends FlowSource {
  readonly read: { readonly flow: Flow; readonly program: Program } | undefined
}

/** Reads the file of a flow. Throws a UsageError for one that can't be read at all. */
export async function readFlowSource(path: string): Promise<FlowSource> {
  return flowSourceOf(path, await readNamedFile(path))
}

/** As `readFlowSource`, of a text that is at hand. `blocks` are the types that are known, as `readDefinition` takes them. */
function flowSourceOf(path: string, text: string, blocks?: BlockRegistry): FlowSource {
  const { definition, problems, rangeOf } = readFlowText(path, text)
  const source = { path: path.replaceAll('\\', '/'), text, definition, rangeOf, publicId: flowFileName(path) }
  if (problems.length > 0)
    return { ...source, flow: undefined, problems: problems.map((one) => ({ pointer: '', ...one })) }
  try {
    const flow = readDefinition(definition, blocks)
    return { ...source, flow, publicId: flow.publicId || source.publicId, problems: [] }
  } catch (error) {
    return { ...source, flow: undefined, problems: placedProblems(error, rangeOf) }
  }
}

/** As `flowSourceOf`, compiled. */
export function runnableSourceOf(path: string, text: string, registry: BlockRegistry): RunnableSource {
  const source = flowSourceOf(path, text, registry)
  const { flow, rangeOf } = source
  if (!flow) return { ...source, read: undefined }
  try {
    return { ...source, read: { flow, program: compileFlow(flow, registry, path) } }
  } catch (error) {
    return { ...source, read: undefined, problems: placedProblems(error, rangeOf) }
  }
}

function placedProblems(error: unknown, rangeOf: FlowText['rangeOf']): readonly PlacedProblem[] {
  if (!(error instanceof ServiceError)) throw error
  return problemsOf(error).map((problem) => ({ ...problem, range: rangeOf(problem.pointer) }))
}

/** A line for each problem of a file: its place, and what is wrong there. */
export function linesOfProblems({ path, problems }: Pick<FlowSource, 'path' | 'problems'>): string[] {
  return problems.map((problem) =>
    oneLine(`${fileLineColumn(path, problem.range)} ${lineOfProblem(problem)}`),
  )
}

/** A place as terminals and editors know it: lines and columns count from 1. */
export function fileLineColumn(path: string, range: Range): string {
  return `${path}:${lineColumn(range)}`
}

/** As `fileLineColumn`, in a text whose name is known. */
export const lineColumn = ({ start }: Range): string => `${start.line + 1}:${start.character + 1}`
