import { ServiceError } from '../../lib/errors.ts'
import type { Session } from '../../sessions/session.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { type SessionRequest, sessionNotFound, unauthorized } from '../session/open-session.ts'
import { type RecordingFile, writeRecordingFile } from './recording-file.ts'

type RecordingRequest = Pick<SessionRequest, 'sessionId' | 'caller'>

interface ResultRecordingRequest {
  /** The public id of a published flow, else the flow's own id. */
  readonly publicId: string
  readonly resultId: string
  /** Whether the caller may know what marked variables hold; absent counts as false. */
  readonly isUnmasked?: boolean
}

type Sources = Pick<ChatDependencies, 'conversations' | 'definitions' | 'published' | 'results'>

/**
 * Returns what it takes to run a preview again, also when it has ended. Throws NOT_FOUND for a session that is unknown
 * or was not recorded, and UNAUTHORIZED for one that needs the token.
 */
export async function readRecording(
  { sessionId, caller }: RecordingRequest,
  deps: Sources,
): Promise<RecordingFile> {
  const stored = await deps.conversations.look(sessionId)
  if (stored?.session.needsToken && caller.kind === 'anonymous') throw unauthorized()
  if (!stored) throw sessionNotFound(await deps.conversations.whyMissing(sessionId))
  // What is written down of visitors is for those who hold the results.
  if (stored.session.kind === 'preview') return fileOf(stored.session, true, deps)
  throw new ServiceError('NOT_FOUND', 'Live sessions show no recording here: it is read by the result')
}

/** As `readRecording`, for the session of a result. Throws NOT_FOUND for a result that is not there, too. */
export async function readResultRecording(
  { publicId, resultId, isUnmasked = false }: ResultRecordingRequest,
  deps: Sources,
): Promise<RecordingFile> {
  const flow = (await deps.published.byPublicId(publicId)) ?? (await deps.published.byFlowId(publicId))
  const result = await deps.results.get(flow?.program.id ?? publicId, resultId)
  if (!result) throw new ServiceError('NOT_FOUND', 'Result not found.')
  const stored = await deps.conversations.look(result.lastChatSessionId)
  // A preview may have taken the id of a session that has gone.
  if (stored?.session.kind !== 'live') {
    throw new ServiceError('NOT_FOUND', 'The session of the result has gone, and its recording with it')
  }
  return fileOf(stored.session, isUnmasked, deps)
}

function fileOf({ recording, kind }: Session, isUnmasked: boolean, deps: Sources): Promise<RecordingFile> {
  const isWanted = recording && (!recording.isForErrors || recording.hasErrors)
  if (isWanted) return writeRecordingFile(recording, isUnmasked, deps)
  const remedy = kind === 'preview' ? 'start the preview with "record": true' : 'see RECORD_LIVE'
  throw new ServiceError('NOT_FOUND', `The session is not recorded: ${remedy}`)
}
