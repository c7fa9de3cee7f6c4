import { ContinueChatBody, ContinueChatResponse, SessionParams } from '../../schemas/continue-chat.ts'
import { IdempotencyHeaders } from '../../schemas/idempotency-key.ts'
import type { Chat } from '../chat/chat.ts'
import { failures, repeatableFailures } from '../http/openapi/response-schemas.ts'
import { readIdempotencyKey, repeatableSuccess } from '../http/request/idempotency.ts'
import { sendJson } from '../http/response/send-json.ts'
import type { Server } from '../http/types.ts'

const schema = {
  operationId: 'continueChat',
  tags: ['Chat'],
  summary: 'Go on with a session',
  description:
    'Hands over what the visitor says, or what an action was asked to send back, and runs the flow until it waits again or ends. Requests of one session are answered one at a time, in the order they come in. A session that has ended is not found any more.',
  params: SessionParams,
  headers: IdempotencyHeaders,
  body: ContinueChatBody,
  response: {
    ...repeatableSuccess('What to show next', ContinueChatResponse),
    ...failures(...repeatableFailures, 'FORBIDDEN', 'NOT_FOUND', 'TOO_MANY_REQUESTS'),
  },
}

/** The continue, of live and preview sessions alike (docs/api.md 4.3). */
export function continueChat(app: Server, { chat }: { readonly chat: Pick<Chat, 'continue'> }): void {
  app.post('/v1/sessions/:sessionId/continueChat', { schema }, async (request, reply) => {
    const { params, headers, body, caller } = request
    const idempotency = readIdempotencyKey(request, reply)
    const { sessionId } = params
    sendJson(reply, await chat.continue({ sessionId, caller, origin: headers.origin, body, idempotency }))
  })
}
