import { SessionParams } from '../../../schemas/continue-chat.ts'
import { TraceEvents, TraceHeaders, TraceQuery, TraceResponse } from '../../../schemas/trace.ts'
import type { ChatDependencies } from '../../conversations/dependencies.ts'
import { followTrace } from '../../conversations/events/follow-session.ts'
import { readTrace } from '../../conversations/trace/read-trace.ts'
import { anyFailures, failures } from '../../http/openapi/response-schemas.ts'
import { coerceQueryNumbers } from '../../http/request/queries.ts'
import { addressOf, foreignOriginOf } from '../../http/request/request-source.ts'
import { eventsSignal, sendEvents } from '../../http/response/send-events.ts'
import type { Server } from '../../http/types.ts'

const schema = {
  operationId: 'readTrace',
  tags: ['Chat'],
  summary: 'Read what the turns of a preview did',
  description:
    'The last turns of a preview that was started with `trace`, block by block, also when it has ended. Asked for `text/event-stream`, each turn as an event, those to come too.',
  params: SessionParams,
  querystring: TraceQuery,
  headers: TraceHeaders,
  security: [{}, { previewToken: [] }],
  response: {
    200: {
      description: 'The turns',
      content: {
        'application/json': { schema: TraceResponse },
        'text/event-stream': { schema: TraceEvents },
      },
    },
    ...failures(...anyFailures, 'UNAUTHORIZED', 'NOT_FOUND', 'TOO_MANY_REQUESTS'),
  },
}

interface Dependencies {
  readonly chat: ChatDependencies
  /** Aborted when the server closes. */
  readonly closing: AbortSignal
}

/** The trace of a preview (docs/debug.md). */
export function sessionTraceRoute(app: Server, { chat, closing }: Dependencies): void {
  const path = '/v1/sessions/:sessionId/trace'
  // A stream that is asked about by its head would never end.
  const options = { schema, exposeHeadRoute: false, preValidation: coerceQueryNumbers('after') }
  app.get(path, options, async (request, reply) => {
    const { params, query, headers, caller } = request
    const { sessionId } = params
    const { after } = query
    if (!headers.accept?.includes('text/event-stream')) {
      return { turns: await readTrace({ sessionId, caller, after }, chat) }
    }
    const signal = eventsSignal(reply, closing)
    const since = headers['last-event-id'] ?? (after === undefined ? undefined : String(after))
    const origin = foreignOriginOf(request)
    const followed = { sessionId, caller, origin, address: addressOf(request), since, signal }
    return sendEvents(await followTrace(followed, chat), reply)
  })
}
