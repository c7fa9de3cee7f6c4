import { findLimitViolation } from '../../definition/structural-limits.ts'
import { currentFrameOf } from '../../engine/model/conversation.ts'
import type { Reply } from '../../engine/model/step.ts'
import { ServiceError } from '../../errors.ts'
import type { StoredConversation } from '../../stores/conversation-store.ts'
import type { Result } from '../../stores/result-store.ts'
import type { ExecuteWebhookRequest } from '../chat.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { type OpenSession, openSession, sessionNotFound } from '../session/open-session.ts'

/** Bytes of a payload: it is kept with the session until the client asks for it. */
const mostBytes = 256 * 1024

/** How often the session may move on while its payload is handed over. */
const mostAttempts = 20

/** Levels of a payload: one less than what a listener reads, as it is put into `data`. */
const mostLevels = 127

/**
 * Stores the payload of another system with the session that waits for it (docs/behaviour/logic.md, "Webhook listener"). A
 * payload that the client has not fetched yet is replaced. Nothing runs, no turn is waited for, and the result stays as
 * it is.
 *
 * Throws UNAUTHORIZED without the token of the operator, FORBIDDEN where there is none; BAD_REQUEST and
 * PAYLOAD_TOO_LARGE for a payload that is too deep or too large; NOT_FOUND for a result that is not there and for
 * one whose session has ended; CONFLICT when the session does not wait at this block.
 */
export async function executeWebhook(request: ExecuteWebhookRequest, deps: ChatDependencies): Promise<void> {
  const text = writePayload(request.payload)
  const { lastChatSessionId: sessionId } = await findResult(request, deps)
  // A session that has moved on meanwhile may listen again.
  for (let attempts = 0; attempts < mostAttempts; attempts++) {
    const open = await openSession({ sessionId, origin: undefined, onFlow: request.onFlow }, deps)
    checkThatItListens(open, request)
    const { revision } = open.stored
    if (await deps.conversations.receiveWebhook({ id: sessionId, revision, text })) return
  }
  throw new ServiceError('TOO_MANY_REQUESTS', 'The session moves on all the time')
}

/** A stored payload as a reply to the listener, as if the client had sent it. */
export function takeWebhookReply({ payload }: Pick<StoredConversation, 'payload'>): Reply | undefined {
  return payload === undefined ? undefined : { type: 'text', text: `{"data":${payload.text}}` }
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
  if (!conversation.isLive) throw sessionNotFound('unknown')
  const { waitingBlock } = conversation
  const isHere = waitingBlock?.type === 'webhook' && waitingBlock.id === blockId
  // A linked flow may have a block of the same id, and a result of its own.
  if (isHere && currentFrameOf(conversation).resultId === resultId) return
  throw new ServiceError('CONFLICT', 'The session does not wait at this block')
}
