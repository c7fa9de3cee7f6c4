import {
  IdempotencyHeaders,
  StartPreviewChatBody,
  StartPreviewChatParams,
  StartPreviewChatResponse,
} from '../../../schemas/start-chat.ts'
import type { ChatDependencies } from '../../conversations/dependencies.ts'
import { startPreviewChat } from '../../conversations/start/start-preview-chat.ts'
import { failures, repeatableFailures } from '../../http/openapi/response-schemas.ts'
import {
  readIdempotencyKey,
  repeatableSuccess,
  versioned,
  writeEtag,
} from '../../http/request/request-conditions.ts'
import { requestLogOf } from '../../http/request-log.ts'
import { sendJson } from '../../http/response/send-json.ts'
import type { Server } from '../../http/types.ts'

const schema = {
  operationId: 'startPreviewChat',
  tags: ['Chat'],
  summary: 'Start a session on a definition sent along',
  description:
    'As the public start, for a draft: it may begin anywhere, may take over a preview session, and keeps no result. Needs the bearer token where the service has one.',
  params: StartPreviewChatParams,
  headers: IdempotencyHeaders,
  body: StartPreviewChatBody,
  security: [{}, { previewToken: [] }],
  response: {
    ...versioned(repeatableSuccess('What to show first', StartPreviewChatResponse)),
    ...failures(...repeatableFailures, 'UNAUTHORIZED', 'NOT_FOUND', 'TOO_MANY_REQUESTS'),
  },
}

interface Dependencies {
  readonly chat: ChatDependencies
  /** Bytes of a body, which holds a definition and may be larger than others. */
  readonly bodyLimit: number
}

/** The preview start (docs/api.md 4.2). */
export function startPreviewChatRoute(app: Server, { chat, bodyLimit }: Dependencies): void {
  app.post('/v1/flows/:flowId/preview/startChat', { schema, bodyLimit }, async (request, reply) => {
    const { params, body, sentBody, caller } = request
    const idempotency = readIdempotencyKey(request, reply)
    const onVersion = writeEtag(reply)
    const { flowId } = params
    const requestLog = requestLogOf(request)
    const acceptLanguage = request.headers['accept-language']
    const asked = { flowId, caller, acceptLanguage, body, sentBody, idempotency, onVersion, requestLog }
    sendJson(reply, await startPreviewChat(asked, chat))
  })
}
