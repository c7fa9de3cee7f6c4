import { SessionParams } from '../../../schemas/continue-chat.ts'
import {
  ClientLogsBody,
  ClientLogsResponse,
  StreamedRecords,
  StreamMessageBody,
} from '../../../schemas/session.ts'
import { saveClientLogs } from '../../conversations/continue/save-client-logs.ts'
import type { ChatDependencies } from '../../conversations/dependencies.ts'
import { streamMessage } from '../../conversations/streaming/stream-message.ts'
import { bodyFailures, failures, success } from '../../http/openapi/response-schemas.ts'
import { foreignOriginOf } from '../../http/request/request-source.ts'
import { flowNoter, requestLogOf } from '../../http/request-log.ts'
import { clientAbortSignal, sendStream } from '../../http/response/send-stream.ts'
import type { Server } from '../../http/types.ts'

const logsSchema = {
  operationId: 'saveClientLogs',
  tags: ['Chat'],
  summary: 'Report what went wrong in the client',
  description:
    'Adds logs to the result of a live session that has not ended, behind those of the flow. Previews have no result to add to.',
  params: SessionParams,
  body: ClientLogsBody,
  response: {
    ...success('They are kept', ClientLogsResponse),
    ...failures(...bodyFailures, 'FORBIDDEN', 'NOT_FOUND', 'TOO_MANY_REQUESTS'),
  },
}

/** The logs of a client (docs/api.md 4.4). */
export function clientLogsRoute(app: Server, { chat }: { readonly chat: ChatDependencies }): void {
  app.post('/v2/sessions/:sessionId/clientLogs', { schema: logsSchema }, async (request) => {
    const { id: requestId, params, body, caller } = request
    const named = { sessionId: params.sessionId, caller, origin: foreignOriginOf(request) }
    await saveClientLogs({ requestId, ...named, body, onFlow: flowNoter(request) }, chat)
    return { message: 'Logs successfully saved.' }
  })
}

const streamSchema = {
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
  app.post('/v2/sessions/:sessionId/streamMessage', { schema: streamSchema }, async (request, reply) => {
    const { params, caller } = request
    const signal = clientAbortSignal(reply)
    const { sessionId } = params
    const requestLog = requestLogOf(request)
    const origin = foreignOriginOf(request)
    const asked = { sessionId, caller, origin, signal, requestLog }
    return sendStream(await streamMessage(asked, chat), reply)
  })
}
