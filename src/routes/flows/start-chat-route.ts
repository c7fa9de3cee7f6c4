import {
  IdempotencyHeaders,
  StartChatBody,
  StartChatParams,
  StartChatResponse,
} from '../../../schemas/start-chat.ts'
import type { ChatDependencies } from '../../conversations/dependencies.ts'
import { startPublishedChat } from '../../conversations/start/start-published-chat.ts'
import { failures, repeatableFailures } from '../../http/openapi/response-schemas.ts'
import {
  readIdempotencyKey,
  repeatableSuccess,
  versioned,
  writeEtag,
} from '../../http/request/request-conditions.ts'
import { addressOf, foreignOriginOf } from '../../http/request/request-source.ts'
import { requestLogOf } from '../../http/request-log.ts'
import { sendJson } from '../../http/response/send-json.ts'
import type { Server } from '../../http/types.ts'

const schema = {
  operationId: 'startChat',
  tags: ['Chat'],
  summary: 'Start a session on a published flow',
  description:
    'Runs the flow until it waits for the visitor or ends, and returns what to show. Browsers are let in by the `security.allowedOrigins` of the flow. With the bearer token of an operator, the `contact` is vouched for.',
  params: StartChatParams,
  headers: IdempotencyHeaders,
  body: StartChatBody,
  response: {
    ...versioned(repeatableSuccess('What to show first', StartChatResponse)),
    ...failures(...repeatableFailures, 'FORBIDDEN', 'NOT_FOUND', 'TOO_MANY_REQUESTS'),
  },
}

/** The public start (docs/api.md 4.1). */
export function startChatRoute(app: Server, { chat }: { readonly chat: ChatDependencies }): void {
  app.post('/v1/flows/:publicId/startChat', { schema }, async (request, reply) => {
    const { params, body, caller } = request
    const idempotency = readIdempotencyKey(request, reply)
    const onVersion = writeEtag(reply)
    const { publicId } = params
    const requestLog = requestLogOf(request)
    const origin = foreignOriginOf(request)
    const asked = {
      publicId,
      caller,
      origin,
      address: addressOf(request),
      acceptLanguage: request.headers['accept-language'],
      body,
      idempotency,
      onVersion,
      requestLog,
    }
    sendJson(reply, await startPublishedChat(asked, chat))
  })
}
