import { StartChatBody, StartChatParams, StartChatResponse } from '../../schemas/start-chat.ts'
import type { Chat } from '../chat/chat.ts'
import { failures, json, success } from '../http/answers.ts'
import type { Server } from '../http/server-type.ts'

const schema = {
  operationId: 'startChat',
  tags: ['Chat'],
  summary: 'Start a session on a published flow',
  description:
    'Runs the flow until it waits for the visitor or ends, and returns what to show. Browsers are let in by the `security.allowedOrigins` of the flow.',
  params: StartChatParams,
  body: StartChatBody,
  response: {
    ...success('What to show first', StartChatResponse),
    ...failures(
      'BAD_REQUEST',
      'FORBIDDEN',
      'NOT_FOUND',
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'INTERNAL_SERVER_ERROR',
      'SERVICE_UNAVAILABLE',
    ),
  },
}

/** The public start (docs/api.md 4.1). */
export function startChat(app: Server, { chat }: { readonly chat: Chat }): void {
  app.post('/v1/flows/:publicId/startChat', { schema }, async ({ params, headers, body }, reply) =>
    reply
      .type(json)
      .send(await chat.startPublished({ publicId: params.publicId, origin: headers.origin, body })),
  )
}
