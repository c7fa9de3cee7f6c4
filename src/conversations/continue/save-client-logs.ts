import type { Log } from '../../../schemas/log.ts'
import type { ClientLogsBody } from '../../../schemas/session.ts'
import { ServiceError } from '../../lib/errors.ts'
import { areResultsKept } from '../../results/result-updates.ts'
import type { Session } from '../../sessions/session.ts'
import type { StoredConversation } from '../../stores/conversation-store.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { checkOrigin, openStored, type SessionRequest } from '../session/open-session.ts'

export interface SaveClientLogsRequest extends SessionRequest {
  /** Fit for headers and logs; kept with the logs. */
  readonly requestId?: string | undefined
  readonly body: ClientLogsBody
}

/**
 * Adds the logs of a client to the result that the logs of its conversation go to (docs/api.md 4.4). The session
 * itself is left alone, so this waits for no turn.
 *
 * Throws NOT_FOUND for a session that is unknown or was forgotten, and for one without a result to add to; FORBIDDEN
 * for a foreign origin; TOO_MANY_REQUESTS where none of them has room in its minute.
 */
export async function saveClientLogs(request: SaveClientLogsRequest, deps: ChatDependencies): Promise<void> {
  const stored = await deps.conversations.look(request.sessionId)
  const isEnded = stored?.session.kind === 'live' && stored.session.state === 'ended'
  const result = isEnded
    ? await resultOfEnded(stored.session, request, deps)
    : await resultOfOpen(stored, request, deps)
  if (!result || !(await addLogs(result, request, deps)))
    throw new ServiceError('NOT_FOUND', 'Result not found.')
}

/** The result of a conversation, as far as results of its flow are kept. */
type ResultName = NonNullable<Session['result']> & { readonly isKept: boolean }

/** False when the result has gone. */
async function addLogs(
  { flowId, id: resultId, isKept }: ResultName,
  { body, requestId }: SaveClientLogsRequest,
  { ports, conversations, clientLogRoom }: ChatDependencies,
): Promise<boolean> {
  if (!isKept) return true
  const sent = body.clientLogs.map(toLog)
  const logs = clientLogRoom.fit(resultId, sent, ports.now())
  if (logs.length === 0 && sent.length > 0)
    throw new ServiceError('TOO_MANY_REQUESTS', 'The logs of this conversation have filled their minute', {
      retryAfter: 60,
    })
  return conversations.appendClientLogs({
    flowId,
    resultId,
    key: ports.createId('value'),
    logs,
    requestId,
    now: ports.now(),
  })
}

async function resultOfOpen(
  stored: StoredConversation | undefined,
  request: SaveClientLogsRequest,
  deps: ChatDependencies,
): Promise<ResultName | undefined> {
  const { conversation } = await openStored(stored, request, deps)
  const { resultId, program } = conversation.frames[0]
  if (resultId === undefined) return undefined
  return { flowId: program.id, id: resultId, isKept: areResultsKept(program, deps) }
}

/** Finds the result of a session that has ended: a browser may fail on the last response. */
async function resultOfEnded(
  { publicId, result }: Session,
  { sessionId, origin, onFlow }: SaveClientLogsRequest,
  deps: ChatDependencies,
): Promise<ResultName | undefined> {
  onFlow?.({ flow: publicId, sessionId })
  const flow = publicId === undefined ? undefined : await deps.published.byPublicId(publicId)
  if (flow && origin !== undefined) checkOrigin(origin, flow.program)
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
