import { basename } from 'node:path'
import { getNodeValue } from 'jsonc-parser'
import { parseDefinition } from '../../definition/parse-definition.ts'
import { readDefinition } from '../../definition/read-definition.ts'
import { compileFlow } from '../../engine/compile/compile-flow.ts'
import type { BlockRegistry } from '../../engine/model/block-handler.ts'
import { ServiceError } from '../../lib/errors.ts'
import type { Credentials } from '../../ports/credentials-port.ts'
import type { FlowFinding } from '../../tooling/lint/finding.ts'
import { findingsOfProblems, inOneGo, lintFlow } from '../../tooling/lint/lint-flow.ts'
import type { Level } from '../../tooling/lint/rule.ts'
import { readNamedFile } from '../input/read-text-file.ts'
import type { WorkingOn } from '../input/stall-guard.ts'
import { surroundingsOf } from './file-surroundings.ts'
import type { CheckedFile, FileFinding, LintSource } from './flow-file.ts'
import type { ConfigFor } from './lint-config.ts'
import { type PositionedText, positionText } from './text-positions.ts'

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
  readonly served?: readonly LintSource[]
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
): Promise<LintSource[]> {
  return Promise.all(paths.map((path) => readFlowFile(path, terms)))
}

async function readFlowFile(
  path: string,
  { workingOn, registry }: Pick<CheckTerms, 'workingOn' | 'registry'>,
): Promise<LintSource> {
  const text = await readNamedFile(path)
  workingOn?.(path)
  return readFlowText(path, text, registry)
}

/** Reads a text as far as it can be, as that of a file. */
export function readFlowText(path: string, text: string, registry: BlockRegistry): LintSource {
  const positions = positionText(text)
  const named = { path: path.replaceAll('\\', '/'), text, positions }
  const unread = { ...named, definition: undefined, read: undefined, publicId: basename(path, '.json') }
  const definition = parseJson(text) ?? (positions.tree && getNodeValue(positions.tree))
  if (definition === undefined) {
    const { problem } = positions
    const [finding] = findingsOfProblems([
      { pointer: '', message: problem?.message ?? (text.trim() === '' ? 'is empty' : 'is not valid JSON') },
    ])
    const range = problem?.range ?? positions.rangeOf('')
    return { ...unread, refusals: finding ? [{ ...finding, range }] : [] }
  }
  try {
    const flow = readDefinition(definition, registry)
    const read = { flow, program: compileFlow(flow, registry, path) }
    return { ...unread, definition, read, publicId: flow.publicId || unread.publicId, refusals: [] }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return {
      ...unread,
      definition,
      refusals: findingsOfProblems(error.problems ?? []).map(placeIn(positions)),
    }
  }
}

/** Undefined where the text is not plainly JSON. */
function parseJson(text: string): unknown {
  try {
    return parseDefinition(text)
  } catch {
    return undefined
  }
}

const placeIn = (positions: PositionedText) => (finding: FlowFinding) => ({
  ...finding,
  range: positions.rangeOf(finding.pointer),
})

/** Checks a file that was read, among others that it may link to. */
export async function checkFile(
  file: LintSource,
  files: readonly LintSource[],
  terms: CheckTerms,
): Promise<CheckedFile> {
  const { path, text, positions, read, definition, refusals } = file
  const config = await terms.configFor(path)
  terms.workingOn?.(path)
  if (!read) return { path, text, positions, runnable: false, findings: refusals }
  const surroundings = surroundingsOf(file, files, terms)
  const options = { ...config, rules: { ...config.rules, ...terms.rules } }
  const { findings } = inOneGo(lintFlow({ ...read, definition, surroundings }, options))
  const placed = findings.map(placeIn(positions))
  return { path, text, positions, runnable: true, findings: placed.sort(byPlace) }
}

function byPlace(a: FileFinding, b: FileFinding): number {
  return a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character
}
