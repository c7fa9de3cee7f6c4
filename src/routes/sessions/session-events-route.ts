import { SessionParams } from '../../../schemas/continue-chat.ts'
import { SessionEvents, SessionEventsHeaders } from '../../../schemas/session.ts'
import type { ChatDependencies } from '../../conversations/dependencies.ts'
import { followSession } from '../../conversations/events/follow-session.ts'
import { anyFailures, failures } from '../../http/openapi/response-schemas.ts'
import { addressOf, foreignOriginOf } from '../../http/request/request-source.ts'
import { flowNoter } from '../../http/request-log.ts'
import { eventsSignal, sendEvents } from '../../http/response/send-events.ts'
import type { Server } from '../../http/types.ts'

const schema = {
  operationId: 'followSession',
  tags: ['Chat'],
  summary: 'Follow what happens to a session',
  description:
    'Server-sent events for a client that waits: `webhook` when another system has called the listener where the session waits, `messages` when a timer of the session or a person has sent some, `reply` when its visitor has said something to that person, `updated` when a turn was taken, by whomever. Ends with the session.',
  params: SessionParams,
  headers: SessionEventsHeaders,
  security: [{}, { previewToken: [] }],
  response: {
    200: { description: 'The events', content: { 'text/event-stream': { schema: SessionEvents } } },
    ...failures(...anyFailures, 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'TOO_MANY_REQUESTS'),
  },
}

interface Dependencies {
  readonly chat: ChatDependencies
  /** Aborted when the server closes. */
  readonly closing: AbortSignal
}

/** The events of a session (docs/api.md 4.15). */
export function sessionEventsRoute(app: Server, { chat, closing }: Dependencies): void {
  const path = '/v1/sessions/:sessionId/events'
  // A stream that is asked about by its head would never end.
  app.get(path, { schema, exposeHeadRoute: false }, async (request, reply) => {
    const { params, headers, caller } = request
    const named = { sessionId: params.sessionId, caller, origin: foreignOriginOf(request) }
    const signal = eventsSignal(reply, closing)
    const since = headers['last-event-id']
    const followed = { ...named, address: addressOf(request), since, signal, onFlow: flowNoter(request) }
    return sendEvents(await followSession(followed, chat), reply)
  })
}
