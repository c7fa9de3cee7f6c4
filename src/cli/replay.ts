import { blockRegistry } from '../blocks/index.ts'
import { parseDefinition } from '../definition/parse-definition.ts'
import { firstProblemOf, ServiceError } from '../lib/errors.ts'
import { compileRecorded } from '../tooling/replay/compile-recorded.ts'
import { describeDivergence } from '../tooling/replay/describe-divergence.ts'
import { RecordingError, readRecordingFile } from '../tooling/replay/read-recording-file.ts'
import { replayRecording } from '../tooling/replay/replay-recording.ts'
import { exitCodes, type Run, UsageError } from './command.ts'
import { findFiles } from './input/find-files.ts'
import { readNamedFile } from './input/read-text-file.ts'
import { oneLine } from './output/plain-text.ts'
import { makeTest } from './replay-files/make-test.ts'
import { readReplayArguments, replayUsage } from './replay-files/replay-arguments.ts'
import { openReplayBounds } from './replay-files/replay-bounds.ts'
import { type ReplayedFile, replayReports } from './replay-files/replay-reports.ts'

/** Text of `replay --help`. */
export const help = (): string => replayUsage

/** Runs recordings again: 0 when all are the same, 1 when one parts, 2 for wrong usage. */
export const run: Run = async (args, console) => {
  const { paths, flow, format, asTest } = readReplayArguments(args)
  const [first = ''] = paths
  if (asTest !== undefined)
    return makeTest({ path: first, text: await readNamedFile(first), asTest, flowPath: flow }, console)
  const definition = flow === undefined ? undefined : readFlow(await readNamedFile(flow), flow)
  const replayed: ReplayedFile[] = []
  for (const path of await findFiles(paths, '.recording.json')) {
    console.workingOn?.(path)
    replayed.push(await replayFile(path, definition))
  }
  console.print(replayReports[format](replayed))
  return replayed.some(({ divergence, isCut }) => divergence || isCut) ? exitCodes.failed : exitCodes.fine
}

async function replayFile(path: string, definition: unknown): Promise<ReplayedFile> {
  const text = await readNamedFile(path)
  try {
    const file = readRecordingFile(text)
    const programs = compileRecorded(file, { registry: blockRegistry, definition })
    const { divergence, isCut } = await replayRecording(file, {
      programs,
      isChanged: definition !== undefined,
      bounds: openReplayBounds(),
    })
    const described = divergence && { ...divergence, description: describeDivergence(divergence, file) }
    return { path, turns: file.turns.length, divergence: described, isCut }
  } catch (error) {
    if (error instanceof RecordingError) throw new UsageError(oneLine(`${path}: ${error.message}`))
    if (!(error instanceof ServiceError)) throw error
    throw new UsageError(`The flow of ${path} can not be run: ${firstProblemOf(error)}`)
  }
}

function readFlow(text: string, path: string): unknown {
  try {
    return parseDefinition(text)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new UsageError(`--flow ${path} ${firstProblemOf(error)}`)
  }
}
