import { SessionParams } from '../../../schemas/continue-chat.ts'
import { StreamedRecords, StreamMessageBody } from '../../../schemas/session.ts'
import type { ChatDependencies } from '../../conversations/dependencies.ts'
import { streamMessage } from '../../conversations/streaming/stream-message.ts'
import { bodyFailures, failures } from '../../http/openapi/response-schemas.ts'
import { foreignOriginOf } from '../../http/request/request-source.ts'
import { requestLogOf } from '../../http/request-log.ts'
import { clientAbortSignal, sendStream } from '../../http/response/send-stream.ts'
import type { Server } from '../../http/types.ts'

const schema = {
  operationId: 'streamMessage',
  tags: ['Chat'],
  summary: 'Read the answer of a language model while it comes in',
  description:
    'For a session that was told to stream by a `stream` action. Once the answer is complete, the client sends it back as the message of a continue. One stream a session at a time.',
  params: SessionParams,
  body: StreamMessageBody,
  response: {
    200: {
      description: 'The answer, piece by piece',
      content: { 'text/plain': { schema: StreamedRecords } },
    },
    ...failures(...bodyFailures, 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'TOO_MANY_REQUESTS'),
  },
}

/** The stream of an answer, for live and preview sessions alike (docs/api.md, "Streaming an answer"). */
export function streamMessageRoute(app: Server, { chat }: { readonly chat: ChatDependencies }): void {
  app.post('/v2/sessions/:sessionId/streamMessage', { schema }, async (request, reply) => {
    const { params, caller } = request
    const signal = clientAbortSignal(reply)
    const { sessionId } = params
    const requestLog = requestLogOf(request)
    const origin = foreignOriginOf(request)
    const asked = { sessionId, caller, origin, signal, requestLog }
    return sendStream(await streamMessage(asked, chat), reply)
  })
}
