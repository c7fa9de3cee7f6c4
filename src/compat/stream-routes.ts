import { SessionParams } from '../../schemas/continue-chat.ts'
import { Type } from '../../schemas/type.ts'
import type { ChatDependencies } from '../conversations/dependencies.ts'
import { streamMessage } from '../conversations/streaming/stream-message.ts'
import { foreignOriginOf } from '../http/protection/page-access.ts'
import { requestLogOf } from '../http/request/request-turn.ts'
import { clientAbortSignal, sendStream } from '../http/response/send-stream.ts'
import type { Server } from '../http/types.ts'
import { ServiceError } from '../lib/errors.ts'
import { recordTexts, withoutEnd } from './record-texts.ts'

/** The streams of these clients: records without the last, or, for older ones, the text of an answer and nothing beside it. */
export function streamMessages(app: Server, chat: ChatDependencies): void {
  const schema = { params: SessionParams, body: Type.Object({}) }
  for (const [version, read] of [
    ['v1', recordTexts],
    ['v2', withoutEnd],
  ] as const) {
    app.post(`/${version}/sessions/:sessionId/streamMessage`, { schema }, async (request, reply) => {
      const { params, caller } = request
      const named = { sessionId: params.sessionId, caller, origin: foreignOriginOf(request) }
      const signal = clientAbortSignal(reply)
      const records = await streamMessage({ ...named, signal, requestLog: requestLogOf(request) }, chat)
      return sendStream(read(records), reply)
    })
  }

  const StreamerBody = Type.Object({ sessionId: Type.Optional(Type.String()) })
  app.post('/integrations/openai/streamer', { schema: { body: StreamerBody } }, async (request, reply) => {
    const { body, caller } = request
    const { sessionId } = body
    if (sessionId === undefined) throw new ServiceError('BAD_REQUEST', 'No session ID provided')
    const signal = clientAbortSignal(reply)
    const asked = {
      sessionId,
      caller,
      origin: foreignOriginOf(request),
      signal,
      requestLog: requestLogOf(request),
    }
    return sendStream(recordTexts(await streamMessage(asked, chat).catch(withoutState)), reply)
  })
}

/** These clients expect a session that has gone among the mistakes of a request. */
function withoutState(error: unknown): never {
  const isGone = error instanceof ServiceError && error.code === 'NOT_FOUND' && error.extension?.reason
  throw isGone ? new ServiceError('BAD_REQUEST', 'No state found', { cause: error }) : error
}
