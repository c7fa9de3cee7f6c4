import {
  ContinueChatBody,
  ContinueChatResponse,
  ContinueHeaders,
  SessionParams,
} from '../../../schemas/continue-chat.ts'
import { continueChat } from '../../conversations/continue/continue-chat.ts'
import type { ChatDependencies } from '../../conversations/dependencies.ts'
import { failures, repeatableFailures } from '../../http/openapi/response-schemas.ts'
import {
  readIdempotencyKey,
  readIfMatch,
  repeatableSuccess,
  versioned,
  writeEtag,
} from '../../http/request/request-conditions.ts'
import { addressOf, foreignOriginOf } from '../../http/request/request-source.ts'
import { flowNoter, requestLogOf } from '../../http/request-log.ts'
import { sendJson } from '../../http/response/send-json.ts'
import { waitSignal } from '../../http/response/send-stream.ts'
import type { Server } from '../../http/types.ts'

const schema = {
  operationId: 'continueChat',
  tags: ['Chat'],
  summary: 'Go on with a session',
  description:
    'Hands over what the visitor says, or what an action was asked to send back, and runs the flow until it waits again or ends. Requests of one session are answered one at a time, in the order they come in. A session that has ended is not found any more.',
  params: SessionParams,
  headers: ContinueHeaders,
  body: ContinueChatBody,
  response: {
    ...versioned(repeatableSuccess('What to show next', ContinueChatResponse)),
    ...failures(...repeatableFailures, 'FORBIDDEN', 'NOT_FOUND', 'PRECONDITION_FAILED', 'TOO_MANY_REQUESTS'),
  },
}

type Turn = Awaited<ReturnType<typeof continueChat>>

interface Dependencies {
  readonly chat: ChatDependencies
  /** Aborted when the server closes. */
  readonly closing: AbortSignal
  /** Time for which a continue that comes before a webhook waits for it; 0 for not at all. */
  readonly webhookWaitMs: number
  /** Gives the answer what clients of this route expect besides; it is sent as it is without. */
  readonly complete?: (turn: Turn) => Turn
}

/** The continue, of live and preview sessions alike (docs/api.md 4.3). */
export function continueChatRoute(
  app: Server,
  { chat, closing, webhookWaitMs, complete }: Dependencies,
): void {
  app.post('/v1/sessions/:sessionId/continueChat', { schema }, async (request, reply) => {
    const { params, body, caller } = request
    const signal = () => waitSignal(reply, closing, 2 * webhookWaitMs)
    const address = () => addressOf(request)
    // One literal: V8 takes 3 µs to add functions to a copy of another object.
    const asked = {
      sessionId: params.sessionId,
      caller,
      origin: foreignOriginOf(request),
      body,
      wait: { waitMs: webhookWaitMs, signal, address },
      idempotency: readIdempotencyKey(request, reply),
      ifVersion: readIfMatch(request),
      onVersion: writeEtag(reply),
      onFlow: flowNoter(request),
      requestLog: requestLogOf(request),
    }
    const turn = await continueChat(asked, chat)
    sendJson(reply, complete ? complete(turn) : turn)
  })
}
