import { findLimitViolation } from '../../definition/structural-limits.ts'
import { currentFrameOf } from '../../engine/model/conversation.ts'
import type { Reply } from '../../engine/model/step.ts'
import { ServiceError } from '../../errors.ts'
import type { Result } from '../../stores/result-store.ts'
import type { Session } from '../../stores/session.ts'
import { requireAdmin } from '../bearer-token.ts'
import type { ExecuteWebhookRequest } from '../chat.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { type OpenSession, withSession } from '../session/open-session.ts'
import { sessionKey } from '../session/session-key.ts'

/** Bytes of a payload: it is kept with the session until the client asks for it. */
const mostBytes = 256 * 1024

/** Levels of a payload: one less than what a listener reads, as it is put into `data`. */
const mostLevels = 127

/**
 * Keeps what another system tells with the session that waits for it (docs/behaviour.md, "Webhook listener"). A
 * payload that the client has not fetched yet is replaced. Nothing runs, and the result stays as it is.
 *
 * Throws UNAUTHORIZED without the token of the operator, FORBIDDEN where there is none; BAD_REQUEST and
 * PAYLOAD_TOO_LARGE for a payload that is too deep or too large; NOT_FOUND for a result that is not there and for
 * one whose session has ended; CONFLICT when the session does not wait at this block.
 */
export async function executeWebhook(request: ExecuteWebhookRequest, deps: ChatDependencies): Promise<void> {
  requireAdmin(deps.adminToken, request.authorization)
  const payload = writePayload(request.payload)
  const { lastChatSessionId: sessionId } = await findResult(request, deps)
  await withSession({ sessionId, origin: undefined }, deps, async (open) => {
    checkThatItListens(open, request)
    await deps.sessions.save(sessionKey('live', sessionId), { ...open.session, payload })
  })
}

/** What a kept payload says to the listener: as if the client had been told, and had sent it back. */
export function takeWebhookReply({ payload }: Pick<Session, 'payload'>): Reply | undefined {
  return payload === undefined ? undefined : { type: 'text', text: `{"data":${payload}}` }
}

function writePayload(payload: object): string {
  if (findLimitViolation(payload, { levels: mostLevels, values: Number.POSITIVE_INFINITY })) {
    throw new ServiceError('BAD_REQUEST', `The payload has more than ${mostLevels} levels`)
  }
  const text = JSON.stringify(payload)
  if (Buffer.byteLength(text) <= mostBytes) return text
  throw new ServiceError('PAYLOAD_TOO_LARGE', `The payload has more than ${mostBytes} bytes`)
}

/** The flow may have been taken down since: its results are then found by its own id. */
async function findResult(
  { flowId, resultId }: ExecuteWebhookRequest,
  { published, results }: Pick<ChatDependencies, 'published' | 'results'>,
): Promise<Result> {
  const flow = await published.byFlowId(flowId)
  const result =
    (flow && (await results.get(flow.program.id, resultId))) ?? (await results.get(flowId, resultId))
  if (!result) throw new ServiceError('NOT_FOUND', 'Result not found.')
  return result
}

function checkThatItListens(
  { conversation }: OpenSession,
  { blockId, resultId }: ExecuteWebhookRequest,
): void {
  // A preview may have taken the id of a session that has gone.
  if (!conversation.isLive) throw new ServiceError('NOT_FOUND', 'Session not found.')
  const { waitingBlock } = conversation
  const isHere = waitingBlock?.type === 'webhook' && waitingBlock.id === blockId
  // A linked flow may have a block of the same id, and a result of its own.
  if (isHere && currentFrameOf(conversation).resultId === resultId) return
  throw new ServiceError('CONFLICT', 'The session does not wait at this block')
}
