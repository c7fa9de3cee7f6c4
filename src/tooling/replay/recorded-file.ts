import { RecordedRequest, RecordingResponse } from '../../../schemas/recording.ts'
import { type RecordingFile, recordingFormat } from '../../conversations/recording/recording-file.ts'
import { createLazyValidator } from '../../definition/lazy-validator.ts'
import { readDefinition } from '../../definition/read-definition.ts'
import { findLimitViolation } from '../../definition/structural-limits.ts'
import { compileFlow } from '../../engine/compile/compile-flow.ts'
import type { BlockRegistry } from '../../engine/model/block-handler.ts'
import type { RecordedTurn } from '../../sessions/recorded-session.ts'
import type { Programs } from './replaying-executor.ts'

const validator = createLazyValidator()(RecordingResponse)
const requestValidator = createLazyValidator()(RecordedRequest)

/** Thrown for what can't be run again; its message begins with the place, and `problem` does not. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError'
  /** JSON pointer into the recording. */
  readonly pointer: string
  readonly problem: string

  constructor(pointer: string, problem: string) {
    super(`${pointer || 'the file'} ${problem}`)
    this.pointer = pointer
    this.problem = problem
  }
}

/** Reads the text of a recording. Throws a RecordingError for what is none, holds too much, or has another form. */
export function readRecordingFile(text: string): RecordingFile {
  return checkRecording(parse(text))
}

/** Checks a parsed recording. Throws a RecordingError as `readRecordingFile` does. */
export function checkRecording(file: unknown): RecordingFile {
  const format: unknown = (file as { format?: unknown } | null)?.format
  if (
    typeof format === 'string' &&
    format !== recordingFormat &&
    format.startsWith('flow-runtime recording ')
  ) {
    throw new RecordingError(
      '/format',
      `is "${format.slice(0, 50)}", and this version reads "${recordingFormat}": record the conversation again`,
    )
  }
  if (format !== recordingFormat) {
    throw new RecordingError(
      '',
      `is no recording: /format is not "${recordingFormat}". GET /v1/sessions/{sessionId}/recording returns one`,
    )
  }
  refuseExcess(file as RecordingFile)
  const [problem] = validator.errorsOf(file)
  if (problem) throw new RecordingError(problem.instancePath, problem.message ?? 'is wrong')
  const recording = file as RecordingFile
  for (const [index, turn] of recording.turns.entries()) checkTurn(turn, `/turns/${index}`, recording)
  if (recording.turns[0]?.entry !== 'start') throw new RecordingError('/turns/0/entry', 'must be "start"')
  if (Object.hasOwn(recording.definitions, recording.start.program)) return recording
  throw new RecordingError('/definitions', 'has no flow of the name in /start/program')
}

/** Bounds of a recording besides its definitions, each of which has the bounds of any definition. */
const most = { levels: 128, values: 100_000, turns: 1000, definitions: 50, frames: 1000 }

/** Before anything recurses over it. */
function refuseExcess({ definitions, ...rest }: Partial<RecordingFile>): void {
  const excess = findLimitViolation(rest, most)
  if (excess?.of === 'levels')
    throw new RecordingError(excess.pointer, `must not lie deeper than ${most.levels} levels`)
  if (excess)
    throw new RecordingError('', `must not hold more than ${most.values} values besides the definitions`)
  if (Number(rest.turns?.length) > most.turns)
    throw new RecordingError('/turns', `must not have more than ${most.turns} turns`)
  if (Object.keys(Object(definitions)).length > most.definitions)
    throw new RecordingError('/definitions', `must not hold more than ${most.definitions} definitions`)
}

function checkTurn({ request, found }: RecordedTurn, at: string, { definitions }: RecordingFile): void {
  if (Number(found?.queue.length) > most.frames)
    throw new RecordingError(`${at}/found/queue`, `must not have more than ${most.frames} flows`)
  const [wrong] = requestValidator.accepts(request) ? [] : requestValidator.errorsOf(request)
  if (wrong) throw new RecordingError(`${at}/request${wrong.instancePath}`, wrong.message ?? 'is no request')
  for (const [place, { program }] of found?.queue.entries() ?? []) {
    if (Object.hasOwn(definitions, program)) continue
    throw new RecordingError(`${at}/found/queue/${place}/program`, 'names no flow in /definitions')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RecordingError('', 'is no recording: it is not valid JSON')
  }
}

/** Options of compiling a recording. */
export interface CompileTerms {
  readonly registry: BlockRegistry
  /** In place of the flow that was started. */
  readonly definition?: unknown
}

/**
 * Compiles every definition of a recording, by the names that sessions know them by; a changed one has that of the one that
 * was started. Throws a ServiceError for one that can't be run.
 */
export function compileRecorded(
  { start, definitions }: RecordingFile,
  { registry, definition }: CompileTerms,
): Programs {
  const all = { ...definitions, ...(definition !== undefined && { [start.program]: definition }) }
  const compile = (hash: string, sent: unknown) => compileFlow(readDefinition(sent, registry), registry, hash)
  return new Map(Object.entries(all).map(([hash, sent]) => [hash, compile(hash, sent)]))
}
