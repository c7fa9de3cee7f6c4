import { SessionParams } from '../../schemas/continue-chat.ts'
import { Type } from '../../schemas/type.ts'
import type { ChatDependencies } from '../conversations/dependencies.ts'
import { streamMessage } from '../conversations/streaming/stream-message.ts'
import { foreignOriginOf } from '../http/request/request-source.ts'
import { requestLogOf } from '../http/request-log.ts'
import { clientAbortSignal, sendStream } from '../http/response/send-stream.ts'
import type { Server } from '../http/types.ts'
import { ServiceError } from '../lib/errors.ts'

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

/**
 * The text that the records of a stream carry. What else is in a stream, why it broke off included, is left out, as there
 * is no place for it in a text.
 */
async function* recordTexts(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const record of recordsOf(pieces)) {
    // A record of a text is one that the service has written, as short as what a model sends at a time.
    if (record.startsWith('0:')) yield JSON.parse(record.slice(2))
  }
}

/** The records that all clients can read: older ones break off at the one about the end, which none of them needs. */
async function* withoutEnd(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const record of recordsOf(pieces)) if (!record.startsWith('d:')) yield `${record}\n`
}

/** A record may come in pieces. */
async function* recordsOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
