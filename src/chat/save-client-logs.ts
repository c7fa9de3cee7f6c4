import type { ClientLogsBody } from '../../schemas/client-logs.ts'
import type { Log } from '../../schemas/log.ts'
import { rootOf } from '../engine/conversation.ts'
import { ServiceError } from '../errors.ts'
import type { Session } from '../stores/session.ts'
import type { SaveClientLogsRequest } from './chat.ts'
import type { ChatDependencies } from './chat-dependencies.ts'
import { openSession } from './find-session.ts'
import { checkOrigin } from './origin.ts'
import { sessionKey } from './session-key.ts'

/**
 * Adds the logs of a client to the result that the logs of its conversation go to (docs/api.md 4.4). The session
 * itself is left alone, so this waits for no turn.
 *
 * Throws NOT_FOUND for a session that is unknown or was forgotten, and for one without a result to add to; FORBIDDEN
 * for a foreign origin.
 */
export async function saveClientLogs(request: SaveClientLogsRequest, chat: ChatDependencies): Promise<void> {
  const result = (await resultOfEnded(request, chat)) ?? (await resultOfOpen(request, chat))
  const logs = request.body.clientLogs.map(toLog)
  const now = chat.ports.now()
  const isKept = result && (await chat.results.update({ ...result, now, mayCreate: false, logs }))
  if (!isKept) throw new ServiceError('NOT_FOUND', 'Result not found.')
}

type ResultName = NonNullable<Session['result']>

async function resultOfOpen(
  request: SaveClientLogsRequest,
  chat: ChatDependencies,
): Promise<ResultName | undefined> {
  const { conversation } = await openSession(request, chat)
  const { resultId, program } = rootOf(conversation)
  return resultId === undefined ? undefined : { flowId: program.id, id: resultId }
}

/** What fails in a browser may fail on the last response. */
async function resultOfEnded(
  { sessionId, origin }: SaveClientLogsRequest,
  { sessions, published }: ChatDependencies,
): Promise<ResultName | undefined> {
  const session = await sessions.get(sessionKey('live', sessionId))
  if (session?.state !== 'ended') return undefined
  const flow = session.publicId === undefined ? undefined : await published.byPublicId(session.publicId)
  if (flow) checkOrigin(origin, flow.program)
  return session.result
}

/** Only what is known of a log is kept. */
function toLog({ status, description, details, context }: ClientLogsBody['clientLogs'][number]): Log {
  return {
    description,
    ...(status !== undefined && { status }),
    ...(details !== undefined && { details }),
    ...(context !== undefined && { context }),
  }
}
