import {
  IdempotencyHeaders,
  StartChatBody,
  StartChatParams,
  StartChatResponse,
  StartPreviewChatBody,
  StartPreviewChatParams,
  StartPreviewChatResponse,
} from '../../../schemas/start-chat.ts'
import type { ChatDependencies } from '../../conversations/dependencies.ts'
import { startPreviewChat } from '../../conversations/start/start-preview-chat.ts'
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

const startSchema = {
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
  app.post('/v1/flows/:publicId/startChat', { schema: startSchema }, async (request, reply) => {
    const { params, body, caller, headers } = request
    const asked = {
      publicId: params.publicId,
      caller,
      origin: foreignOriginOf(request),
      address: addressOf(request),
      acceptLanguage: headers['accept-language'],
      body,
      idempotency: readIdempotencyKey(request, reply),
      onVersion: writeEtag(reply),
      requestLog: requestLogOf(request),
    }
    sendJson(reply, await startPublishedChat(asked, chat))
  })
}

const previewSchema = {
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

interface PreviewDependencies {
  readonly chat: ChatDependencies
  /** Bytes of a body, which holds a definition and may be larger than others. */
  readonly bodyLimit: number
}

/** The preview start (docs/api.md 4.2). */
export function startPreviewChatRoute(app: Server, { chat, bodyLimit }: PreviewDependencies): void {
  const options = { schema: previewSchema, bodyLimit }
  app.post('/v1/flows/:flowId/preview/startChat', options, async (request, reply) => {
    const { params, body, sentBody, caller, headers } = request
    const asked = {
      flowId: params.flowId,
      caller,
      acceptLanguage: headers['accept-language'],
      body,
      sentBody,
      idempotency: readIdempotencyKey(request, reply),
      onVersion: writeEtag(reply),
      requestLog: requestLogOf(request),
    }
    sendJson(reply, await startPreviewChat(asked, chat))
  })
}
