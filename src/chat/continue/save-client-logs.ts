import type { ClientLogsBody } from '../../../schemas/client-logs.ts'
import type { Log } from '../../../schemas/log.ts'
import { rootFrameOf } from '../../engine/model/conversation.ts'
import { ServiceError } from '../../errors.ts'
import { areResultsKept } from '../../results/result-updates.ts'
import type { Session } from '../../stores/session.ts'
import type { SaveClientLogsRequest } from '../chat.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { checkOrigin } from '../session/check-origin.ts'
import { openSession } from '../session/open-session.ts'
import { sessionKey } from '../session/session-key.ts'

/**
 * Adds the logs of a client to the result that the logs of its conversation go to (docs/api.md 4.4). The session
 * itself is left alone, so this waits for no turn.
 *
 * Throws NOT_FOUND for a session that is unknown or was forgotten, and for one without a result to add to; FORBIDDEN
 * for a foreign origin.
 */
export async function saveClientLogs(request: SaveClientLogsRequest, deps: ChatDependencies): Promise<void> {
  const result = (await resultOfEnded(request, deps)) ?? (await resultOfOpen(request, deps))
  if (!result || !(await addLogs(result, request, deps)))
    throw new ServiceError('NOT_FOUND', 'Result not found.')
}

/** The result of a conversation, as far as results of its flow are kept. */
type ResultName = NonNullable<Session['result']> & { readonly isKept: boolean }

/** False when the result has gone. */
async function addLogs(
  { flowId, id, isKept }: ResultName,
  { body }: SaveClientLogsRequest,
  { ports, results }: ChatDependencies,
): Promise<boolean> {
  if (!isKept) return true
  const logs = body.clientLogs.map(toLog)
  return results.update({ flowId, id, now: ports.now(), mayCreate: false, logs })
}

async function resultOfOpen(
  request: SaveClientLogsRequest,
  deps: ChatDependencies,
): Promise<ResultName | undefined> {
  const { conversation } = await openSession(request, deps)
  const { resultId, program } = rootFrameOf(conversation)
  if (resultId === undefined) return undefined
  return { flowId: program.id, id: resultId, isKept: areResultsKept(program, deps) }
}

/** What fails in a browser may fail on the last response. */
async function resultOfEnded(
  { sessionId, origin }: SaveClientLogsRequest,
  deps: ChatDependencies,
): Promise<ResultName | undefined> {
  const { state, publicId, result } = (await deps.sessions.get(sessionKey('live', sessionId))) ?? {}
  if (state !== 'ended') return undefined
  const flow = publicId === undefined ? undefined : await deps.published.byPublicId(publicId)
  if (flow) checkOrigin(origin, flow.program)
  return result && { ...result, isKept: flow ? areResultsKept(flow.program, deps) : deps.areResultsRead }
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
