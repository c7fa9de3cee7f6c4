import { dirname, join } from 'node:path'
import type { FlowTestFile } from '../../../schemas/flow-test.ts'
import { parseYaml, YamlError } from '../../adapters/yaml-reader/parse-yaml.ts'
import type { FlowCoverage } from '../../tooling/flow-tests/coverage.ts'
import { placeIn, problemsOfTests } from '../../tooling/flow-tests/read-tests.ts'
import type { TestReport } from '../../tooling/flow-tests/run-tests.ts'
import { UsageError } from '../command.ts'
import type { FlowSource } from '../input/flow-source.ts'
import { readNamedFile } from '../input/read-text-file.ts'
import { oneLine } from '../output/plain-text.ts'

/** A file of tests that can be run. */
interface ReadTestFile {
  readonly path: string
  /** The file of its flow, or what that is published as in its folder. */
  readonly flowPath: string
  readonly file: FlowTestFile
  /** Place of a pointer's target, as `line:column`; a target that is absent has the place of its parent. */
  placeOf(pointer: string): string
}

/** Characters of a file of tests: a few bytes of YAML become a hundred of memory. */
const mostCharacters = 2 ** 20

/** Reads a file. Throws a UsageError with a line for each problem: its place, and what is wrong. */
export async function readTestFile(path: string): Promise<ReadTestFile> {
  const text = await readNamedFile(path)
  if (text.length > mostCharacters) throw new UsageError(`${path} has more than ${mostCharacters} characters`)
  const { value, places } = parse(text, path)
  const placeOf = (pointer: string) => placeIn(places, pointer)
  const problems = problemsOfTests(value)
  if (problems.length > 0) {
    const lines = problems.map(({ pointer, message }) => {
      const name = pointer === '' ? 'the file' : pointer
      return oneLine(`${path}:${placeOf(pointer)} ${name} ${message}`)
    })
    throw new UsageError(lines.join('\n'))
  }
  const file = value as FlowTestFile
  if (file.flow === undefined)
    throw new UsageError(`${path}:1:1 the file must name its flow, as in "flow: faq.json"`)
  return { path, flowPath: join(dirname(path), file.flow), file, placeOf }
}

function parse(text: string, path: string) {
  try {
    return parseYaml(text)
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    const place = error.place === undefined ? '' : `:${error.place}`
    throw new UsageError(`${path}${place} ${error.message}`)
  }
}

/** A file with what came of its tests. */
export interface TestedFile extends TestReport {
  readonly read: ReadTestFile
  /** Undefined where the flow is no file. */
  readonly flow?: Pick<FlowSource, 'path' | 'rangeOf'> | undefined
}

/** Coverage of one flow by all files together. */
export interface CoveredFlow extends FlowCoverage, Pick<FlowSource, 'path' | 'rangeOf'> {}
