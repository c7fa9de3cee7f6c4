import { isYamlFlow } from '../../definition/read-flow-text.ts'
import type { BlockRegistry } from '../../engine/model/block-handler.ts'
import type { Credentials } from '../../ports/credentials-port.ts'
import { findingsOfProblems, inOneGo, lintFlow } from '../../tooling/lint/lint-flow.ts'
import type { Level } from '../../tooling/lint/rule.ts'
import { type RunnableSource, runnableSourceOf } from '../input/flow-source.ts'
import { readNamedFile } from '../input/read-text-file.ts'
import type { WorkingOn } from '../input/stall-guard.ts'
import { surroundingsOf } from './file-surroundings.ts'
import type { CheckedFile, FileFinding } from './flow-file.ts'
import type { ConfigFor } from './lint-config.ts'

/** By what files are checked. */
export interface CheckTerms {
  readonly configFor: ConfigFor
  /** Levels that outweigh those of the configuration. */
  readonly rules: Readonly<Record<string, Level>>
  /** Undefined where they are not known. */
  readonly accounts: Credentials | undefined
  /** Messengers that the flows are meant for. */
  readonly channels?: readonly string[]
  /** The flows that are published now. */
  readonly served?: readonly RunnableSource[]
  readonly workingOn?: WorkingOn | undefined
  readonly registry: BlockRegistry
}

/** Reads and checks files, each of which knows the others. Throws a UsageError for one that can't be read. */
export async function checkFiles(paths: readonly string[], terms: CheckTerms): Promise<CheckedFile[]> {
  const files = await readFlowFiles(paths, terms)
  return Promise.all(files.map((file) => checkFile(file, files, terms)))
}

/** Reads files as far as they can be. Throws a UsageError for one that can't be read at all. */
export function readFlowFiles(
  paths: readonly string[],
  terms: Pick<CheckTerms, 'workingOn' | 'registry'>,
): Promise<RunnableSource[]> {
  return Promise.all(paths.map((path) => readFlowFile(path, terms)))
}

async function readFlowFile(
  path: string,
  { workingOn, registry }: Pick<CheckTerms, 'workingOn' | 'registry'>,
): Promise<RunnableSource> {
  const text = await readNamedFile(path)
  workingOn?.(path)
  return runnableSourceOf(path, text, registry)
}

/** Checks a file that was read, among others that it may link to. */
export async function checkFile(
  file: RunnableSource,
  files: readonly RunnableSource[],
  terms: CheckTerms,
): Promise<CheckedFile> {
  const { path, text, rangeOf, read, definition } = file
  const config = await terms.configFor(path)
  terms.workingOn?.(path)
  if (!read) return { path, text, rangeOf, runnable: false, findings: refusalsOf(file) }
  const surroundings = surroundingsOf(file, files, terms)
  const options = { ...config, rules: { ...config.rules, ...terms.rules } }
  const isYaml = isYamlFlow(path)
  const source = { ...read, definition, surroundings, ...(isYaml && { isHandWritten: true }) }
  const placed = inOneGo(lintFlow(source, options)).findings.map(({ fix, ...finding }) => ({
    ...finding,
    // A fix is one of the JSON.
    ...(fix && !isYaml && { fix }),
    range: rangeOf(finding.pointer),
  }))
  return { path, text, rangeOf, runnable: true, findings: placed.sort(byPlace) }
}

/** The reasons for which a file is not read, as findings. */
function refusalsOf({ problems }: RunnableSource): FileFinding[] {
  return problems.flatMap(({ range, ...problem }) =>
    findingsOfProblems([problem]).map((finding) => ({ ...finding, range })),
  )
}

function byPlace(a: FileFinding, b: FileFinding): number {
  return a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character
}
