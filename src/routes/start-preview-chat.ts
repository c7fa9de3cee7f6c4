import {
  StartPreviewChatBody,
  StartPreviewChatParams,
  StartPreviewChatResponse,
} from '../../schemas/start-chat.ts'
import type { Chat } from '../chat/chat.ts'
import { failures, json, success } from '../http/answers.ts'
import type { Server } from '../http/server-type.ts'

const schema = {
  operationId: 'startPreviewChat',
  tags: ['Chat'],
  summary: 'Start a session on a definition sent along',
  description:
    'As the public start, for a draft: it may begin anywhere, may take over a preview session, and keeps no result. Needs the bearer token where the service has one.',
  params: StartPreviewChatParams,
  body: StartPreviewChatBody,
  security: [{}, { previewToken: [] }],
  response: {
    ...success('What to show first', StartPreviewChatResponse),
    ...failures(
      'BAD_REQUEST',
      'UNAUTHORIZED',
      'NOT_FOUND',
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'TOO_MANY_REQUESTS',
      'INTERNAL_SERVER_ERROR',
      'SERVICE_UNAVAILABLE',
    ),
  },
}

/** The preview start (docs/api.md 4.2). Its body holds a definition, and may be larger than others. */
export function startPreviewChat(
  app: Server,
  { chat, bodyLimit }: { readonly chat: Chat; readonly bodyLimit: number },
): void {
  app.post(
    '/v1/flows/:flowId/preview/startChat',
    { schema, bodyLimit },
    async ({ params, headers, body }, reply) =>
      reply
        .type(json)
        .send(await chat.startPreview({ flowId: params.flowId, authorization: headers.authorization, body })),
  )
}
