import { parseArgs } from 'node:util'
import type { Flow } from '../../schemas/flow.ts'
import type { RecordingFile } from '../conversations/recording/recording-file.ts'
import { firstProblemOf, ServiceError } from '../lib/errors.ts'
import { type Divergence, describeDivergence } from '../tooling/replay/divergence.ts'
import {
  type CompileTerms,
  compileRecorded,
  RecordingError,
  readRecordingFile,
} from '../tooling/replay/recorded-file.ts'
import { replayRecording } from '../tooling/replay/replay-recording.ts'
import { exitCodes, oneOf, type Run, UsageError } from './command.ts'
import { findFiles } from './input/find-files.ts'
import { type FlowSource, fileLineColumn, linesOfProblems, readFlowSource } from './input/flow-source.ts'
import { blocksOption, readBlocks } from './input/read-blocks.ts'
import { readNamedFile } from './input/read-text-file.ts'
import { countOf, oneLine } from './output/plain-text.ts'
import { makeTest } from './replay-files/make-test.ts'
import { openReplayBounds } from './replay-files/replay-bounds.ts'

/** Text of `replay --help`. */
export const help = (): string => `Usage: flow-runtime replay [OPTIONS] FILE|FOLDER...

Runs recorded conversations again, of folders each *.recording.json in them and below: what visitors said, with every
effect answered as it was. Nothing leaves the process. Names the first turn and the block where a conversation is no
longer the same, byte by byte.

  --flow FILE      run the conversations on this flow in place of the one that was recorded; what it asks and nobody
                   answered goes unanswered
  --format FORMAT  pretty, json (default pretty)
  --blocks FOLDER  own block types (default BLOCKS_DIR)
  --as-test FILE   make a file of tests of one recording: what was said and seen, with the answers of the world as
                   mocks. The test is of --flow, or of the flow that was recorded, which is then written beside it

A recording is what GET /v1/sessions/{sessionId}/recording returns for a preview that was started with "record": true.

Exits with 0 when all are the same, 1 when one parts or holds masked values, 2 for wrong usage or a file that is no recording.
`

const formatWords = ['pretty', 'json'] as const

const options = {
  format: { type: 'string', default: 'pretty' },
  flow: { type: 'string' },
  'as-test': { type: 'string' },
  ...blocksOption,
} as const

/** Runs recordings again: 0 when all are the same, 1 when one parts, 2 for wrong usage. */
export const run: Run = async (args, console) => {
  const { values, positionals: paths } = parseArgs({ args: [...args], options, allowPositionals: true })
  const { flow, 'as-test': asTest } = values
  const [first, ...others] = paths
  if (first === undefined) throw new UsageError('A recording or a folder of recordings has to be named')
  if (asTest !== undefined && others.length > 0)
    throw new UsageError('--as-test makes a file of one recording')
  const format = oneOf('--format', values.format, formatWords)
  const { registry } = await readBlocks(values.blocks, console)
  if (asTest !== undefined)
    return makeTest(
      { path: first, text: await readNamedFile(first), asTest, flowPath: flow, registry },
      console,
    )
  const source = flow === undefined ? undefined : await readSourceOf(flow)
  const terms = { registry, definition: source?.definition }
  const replayed: ReplayedFile[] = []
  for (const path of await findFiles(paths, '.recording.json')) {
    console.workingOn?.(path)
    replayed.push(await replayFile(path, { terms, source }))
  }
  console.print(replayReports[format](replayed))
  return replayed.some(({ divergence, isCut, masked }) => divergence || isCut || masked)
    ? exitCodes.failed
    : exitCodes.fine
}

interface ReplayTerms {
  readonly terms: CompileTerms
  /** The flow that takes the place of those that were recorded. */
  readonly source: FlowSource | undefined
}

async function replayFile(path: string, { terms, source }: ReplayTerms): Promise<ReplayedFile> {
  const text = await readNamedFile(path)
  try {
    const file = readRecordingFile(text)
    const programs = compileRecorded(file, terms)
    const { turns, divergence, isCut, masked } = await replayRecording(file, {
      programs,
      isChanged: terms.definition !== undefined,
      bounds: openReplayBounds(),
    })
    const described = divergence && { ...divergence, ...describe(divergence, file, source) }
    const unknown = masked && { after: turns.length, variables: masked }
    return { path, turns: file.turns.length, divergence: described, isCut, masked: unknown }
  } catch (error) {
    if (error instanceof RecordingError) throw new UsageError(oneLine(`${path}: ${error.message}`))
    if (!(error instanceof ServiceError)) throw error
    throw new UsageError(`The flow of ${path} can not be run: ${firstProblemOf(error)}`)
  }
}

function describe(divergence: Divergence, file: RecordingFile, source: FlowSource | undefined) {
  const description = describeDivergence(divergence, file)
  const pointer = source?.flow && pointerOfBlock(source.flow, divergence.blockId)
  if (!source || pointer === undefined) return { description, place: undefined }
  return { description, place: fileLineColumn(source.path, source.rangeOf(pointer)) }
}

function pointerOfBlock({ groups }: Flow, blockId: string | undefined): string | undefined {
  for (const [group, { blocks }] of groups.entries()) {
    const block = blocks.findIndex(({ id }) => id === blockId)
    if (block >= 0) return `/groups/${group}/blocks/${block}`
  }
  return undefined
}

async function readSourceOf(path: string): Promise<FlowSource> {
  const source = await readFlowSource(path)
  const [problem] = linesOfProblems(source)
  if (problem) throw new UsageError(`--flow ${problem}`)
  return source
}

interface ReplayedFile {
  readonly path: string
  /** Those that were recorded. */
  readonly turns: number
  /** Whether it took longer than it may. */
  readonly isCut?: true | undefined
  /** Turns that were run, and the variables whose masked values the next one holds. */
  readonly masked?: { readonly after: number; readonly variables: readonly string[] } | undefined
  readonly divergence?: (Divergence & ReturnType<typeof describe>) | undefined
}

/** The report of a run, by the name of its format. */
const replayReports: Readonly<
  Record<(typeof formatWords)[number], (files: readonly ReplayedFile[]) => string>
> = {
  pretty(files) {
    const lines = files.map(({ path, turns, divergence, isCut, masked }) => {
      if (divergence) {
        const { description, place } = divergence
        return oneLine(`diverged  ${path}: ${description}${place === undefined ? '' : ` (${place})`}`)
      }
      if (masked)
        return oneLine(
          `masked    ${path}: turn ${masked.after + 1} holds masked values of ${masked.variables.join(', ')}`,
        )
      return `${isCut ? 'cut off ' : 'same    '}  ${path} (${turns} turns)`
    })
    const diverged = files.filter(({ divergence }) => divergence).length
    const cut = files.filter((file) => file.isCut).length
    const stopped = cut > 0 ? `, ${cut} cut off as they took too long` : ''
    return `${[...lines, `${countOf(files.length, 'recording')}: ${diverged} diverged${stopped}`].join('\n')}\n`
  },
  json: (files) => `${JSON.stringify({ files }, null, 2)}\n`,
}
