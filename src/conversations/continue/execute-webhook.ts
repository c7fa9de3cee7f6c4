import { findLimitViolation } from '../../definition/structural-limits.ts'
import { currentFrameOf } from '../../engine/model/conversation.ts'
import type { Reply } from '../../engine/model/step.ts'
import { ServiceError } from '../../lib/errors.ts'
import { anonymous } from '../../ports/caller.ts'
import type { OnFlow } from '../../ports/request-log-port.ts'
import type { StoredConversation } from '../../stores/conversation-store.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { findResult, type ResultRequest } from '../session/find-result.ts'
import { type OpenSession, openSession, sessionNotFound } from '../session/open-session.ts'
import { restoreConversation } from '../session/restore-conversation.ts'

/** Bytes of a payload: it is kept with the session until the client asks for it. */
const mostBytes = 256 * 1024

/** How often the session may move on while its payload is handed over. */
const mostAttempts = 20

/** Levels of a payload: one less than what a listener reads, as it is put into `data`. */
const mostLevels = 127

export interface ExecuteWebhookRequest extends ResultRequest {
  readonly blockId: string
  readonly onFlow?: OnFlow | undefined
  /** A JSON object. */
  readonly payload: object
}

/** A session that may wait at a block of a draft. */
export interface PreviewListener {
  readonly sessionId: string
  /** The id of its definition. */
  readonly flowId: string
  readonly blockId: string
}

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
    const open = await openSession(
      { sessionId, origin: undefined, caller: anonymous, onFlow: request.onFlow },
      deps,
    )
    checkThatItListens(open, request)
    const { revision } = open.stored
    if (await deps.conversations.receiveWebhook({ id: sessionId, revision, text })) {
      deps.webhookReceived?.({ resultId: request.resultId, sessionId })
      return
    }
  }
  throw new ServiceError(
    'TOO_MANY_REQUESTS',
    `The session changed ${mostAttempts} times while the payload was handed over: send it again`,
  )
}

/**
 * Whether a session is an author's preview that waits at this listener of its own definition. What a stranger started is
 * none, and neither is one on an id that a client chose: those who name it need not have started it.
 */
export async function isPreviewListening(
  { sessionId, flowId, blockId }: PreviewListener,
  deps: ChatDependencies,
): Promise<boolean> {
  const stored = await deps.conversations.look(sessionId)
  if (stored?.session.kind !== 'preview' || stored.session.state === 'ended') return false
  if (!stored.session.isTrusted || stored.session.needsToken) return false
  const conversation = await restoreConversation(stored.session, deps)
  const { waitingBlock } = conversation ?? {}
  const isHere = waitingBlock?.type === 'webhook' && waitingBlock.id === blockId
  return isHere && conversation !== undefined && currentFrameOf(conversation).program.id === flowId
}

/** A stored payload as a reply to the listener, as if the client had sent it. */
export function takeWebhookReply(stored: Pick<StoredConversation, 'payload'>): Reply | undefined {
  const text = replyTextOf(stored)
  return text === undefined ? undefined : { type: 'text', text }
}

/** Reply of a client to the listener; undefined where no payload waits to be taken. */
export async function readWebhook(
  sessionId: string,
  { conversations }: Pick<ChatDependencies, 'conversations'>,
): Promise<string | undefined> {
  return replyTextOf((await conversations.look(sessionId)) ?? {})
}

function replyTextOf({ payload }: Pick<StoredConversation, 'payload'>): string | undefined {
  return payload && `{"data":${payload.text}}`
}

function writePayload(payload: object): string {
  if (findLimitViolation(payload, { levels: mostLevels, values: Number.POSITIVE_INFINITY })) {
    throw new ServiceError('BAD_REQUEST', `The payload has more than ${mostLevels} levels`)
  }
  const text = JSON.stringify(payload)
  if (Buffer.byteLength(text) <= mostBytes) return text
  throw new ServiceError('PAYLOAD_TOO_LARGE', `The payload has more than ${mostBytes} bytes`)
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
  throw new ServiceError('CONFLICT', 'The session does not wait at this webhook block')
}
