import type { Program } from '../../engine/model/program.ts'
import { ServiceError } from '../../lib/errors.ts'
import type { NamedProgram, RecordedSession, RecordedTurn } from '../../sessions/recorded-session.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { definitionIn } from '../session/program-cache.ts'
import { unmaskRecorded } from './mask-recorded.ts'

/** Marks a recording, and the version of its format. */
export const recordingFormat = 'flow-runtime recording 1'

/** A recording with all that it takes to run it again. */
export interface RecordingFile extends Pick<RecordedSession, 'start' | 'turns' | 'isCut'> {
  /** Marks in the places of values that it does not say, with the names of their variables. */
  readonly masked?: readonly { readonly mark: string; readonly name: string }[] | undefined
  readonly format: typeof recordingFormat
  /** By the hashes that name them. */
  readonly definitions: Readonly<Record<string, unknown>>
}

/** Puts the definitions beside a recording, and where wanted the values of marked variables that it knows into their places. Throws NOT_FOUND where one of them has gone. */
export async function writeRecordingFile(
  recording: RecordedSession,
  isUnmasked: boolean,
  sources: Pick<ChatDependencies, 'definitions' | 'published'>,
): Promise<RecordingFile> {
  const { start, turns, masked } = isUnmasked ? unmaskRecorded(recording) : recording
  const { isCut } = recording
  const marks = masked?.map(({ mark, name }) => ({ mark, name }))
  const named = [{ program: start.program, flowId: start.flowId }, ...turns.flatMap(programsNamedIn)]
  const definitions: Record<string, unknown> = {}
  for (const { program, flowId } of named)
    definitions[program] ??= await findDefinition(program, flowId, sources)
  return {
    format: recordingFormat,
    start,
    turns,
    ...(isCut && { isCut }),
    ...(marks && { masked: marks }),
    definitions,
  }
}

function programsNamedIn({ effects, found }: RecordedTurn): readonly NamedProgram[] {
  const linked = effects.flatMap(({ type, answer }) => {
    const { program, flowId } = answer as Partial<NamedProgram>
    return type === 'link' && program !== undefined && flowId !== undefined ? [{ program, flowId }] : []
  })
  return [...linked, ...(found?.queue ?? [])]
}

async function findDefinition(
  hash: Program['hash'],
  flowId: string,
  { definitions, published }: Pick<ChatDependencies, 'definitions' | 'published'>,
): Promise<unknown> {
  const text = await definitions.get(hash)
  if (text !== undefined) return definitionIn({ hash, text })
  const current = await published.byFlowId(flowId)
  if (current?.program.hash === hash) return current.flow
  throw new ServiceError('NOT_FOUND', 'The flow that was recorded has gone: others needed its room')
}
