import { SessionParams } from '../../../schemas/continue-chat.ts'
import { SessionResponse } from '../../../schemas/session.ts'
import type { ChatDependencies } from '../../conversations/dependencies.ts'
import { getSession } from '../../conversations/get-session/get-session.ts'
import { anyFailures, failures, success } from '../../http/openapi/response-schemas.ts'
import { versioned, writeEtag } from '../../http/request/request-conditions.ts'
import { foreignOriginOf } from '../../http/request/request-source.ts'
import { flowNoter } from '../../http/request-log.ts'
import { sendJson } from '../../http/response/send-json.ts'
import type { Server } from '../../http/types.ts'

const schema = {
  operationId: 'getSession',
  tags: ['Chat'],
  summary: 'Look where a session is',
  description:
    'For a client that was reloaded: the input, the action or the embed that is awaited, with the present values, the progress and the look of the flow. Waits for no other request, goes on to no other block and changes nothing. A session that has ended is not found any more.',
  params: SessionParams,
  security: [{}, { previewToken: [] }],
  response: {
    ...versioned(success('Where it is', SessionResponse)),
    ...failures(...anyFailures, 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'TOO_MANY_REQUESTS'),
  },
}

/** The look at a session, of live and preview sessions alike (docs/api.md 4.13). */
export function getSessionRoute(app: Server, { chat }: { readonly chat: ChatDependencies }): void {
  app.get('/v1/sessions/:sessionId', { schema }, async (request, reply) => {
    const { params, caller } = request
    const named = { sessionId: params.sessionId, caller, origin: foreignOriginOf(request) }
    const onFlow = flowNoter(request)
    const asked = { ...named, onFlow, onVersion: writeEtag(reply) }
    sendJson(reply, await getSession(asked, chat))
  })
}
