import { linesOf, type Range } from '../lib/text-lines.ts'
import { positionJson } from './json-positions.ts'
import { parseDefinition } from './parse-definition.ts'
import { compileYamlFlow } from './yaml-form/compile-yaml-flow.ts'

export const yamlEnding = '.flow.yaml'

/** How the names of flow files end, by which they are read. */
export const flowFileEndings = ['.json', yamlEnding] as const

export const isFlowFile = (path: string): boolean => flowFileEndings.some((ending) => path.endsWith(ending))

export const isYamlFlow = (path: string): boolean => path.endsWith(yamlEnding)

/** Name of a file without folder and ending, which its flow is published as unless it says so itself. */
export function flowFileName(path: string): string {
  const name = path.replace(/^.*[/\\]/s, '')
  const ending = flowFileEndings.find((one) => name.endsWith(one)) ?? ''
  return name.slice(0, name.length - ending.length)
}

/** A reason for which a text is no definition, with its place. */
interface TextProblem {
  readonly message: string
  readonly range: Range
}

/** The text of a flow file, in either form, as a definition that nothing has checked yet. */
export interface FlowText {
  /** Undefined where there are problems. */
  readonly definition: unknown
  readonly problems: readonly TextProblem[]
  /** Place in the text of what a JSON pointer into the definition leads to; what is absent has the place of what is around it. */
  rangeOf(pointer: string): Range
}

/** Reads the text of a flow file, in the form that its name says. Never throws. */
export function readFlowText(path: string, text: string): FlowText {
  return isYamlFlow(path) ? readYaml(text) : readJson(text)
}

function readYaml(text: string): FlowText {
  const { definition, problems, spanOf } = compileYamlFlow(text)
  let lines: ReturnType<typeof linesOf> | undefined
  const rangeAt = (start: number, end: number) => {
    lines ??= linesOf(text)
    return lines.rangeAt(start, end)
  }
  return {
    definition: problems.length > 0 ? undefined : definition,
    problems: problems.map(({ message, start, end }) => ({ message, range: rangeAt(start, end) })),
    rangeOf(pointer) {
      const { start, end } = spanOf(pointer)
      return rangeAt(start, end)
    },
  }
}

const byteMark = /^\uFEFF/

function readJson(text: string): FlowText {
  const positions = positionJson(text)
  const { rangeOf } = positions
  try {
    return { definition: parseDefinition(text.replace(byteMark, '')), problems: [], rangeOf }
  } catch {
    const problem = positions.problem ?? { message: 'is not valid JSON', range: rangeOf('') }
    return { definition: undefined, problems: [problem], rangeOf }
  }
}
