import { ContinueChatResponse, SessionParams } from '../../../schemas/continue-chat.ts'
import type { ChatDependencies } from '../../conversations/dependencies.ts'
import { skipToTimer } from '../../conversations/timers/skip-to-timer.ts'
import { anyFailures, failures, success } from '../../http/openapi/response-schemas.ts'
import { versioned, writeEtag } from '../../http/request/request-conditions.ts'
import { foreignOriginOf } from '../../http/request/request-source.ts'
import { flowNoter, requestLogOf } from '../../http/request-log.ts'
import { sendJson } from '../../http/response/send-json.ts'
import type { Server } from '../../http/types.ts'

const schema = {
  operationId: 'skipToTimer',
  tags: ['Chat'],
  summary: 'Let the next timer of a preview fire',
  description:
    'Takes the turn that a preview would take by itself at its next timer, at once; a clock that stands moves there. Answered as a continue is. Live sessions are not found.',
  params: SessionParams,
  security: [{}, { previewToken: [] }],
  response: {
    ...versioned(success('What to show next', ContinueChatResponse)),
    ...failures(...anyFailures, 'UNAUTHORIZED', 'NOT_FOUND', 'CONFLICT', 'TOO_MANY_REQUESTS'),
  },
}

/** The timers of a preview (docs/behaviour/timers.md). */
export function skipToTimerRoute(app: Server, { chat }: { readonly chat: ChatDependencies }): void {
  app.post('/v1/sessions/:sessionId/skipToTimer', { schema }, async (request, reply) => {
    const { params, caller } = request
    const named = { sessionId: params.sessionId, caller, origin: foreignOriginOf(request) }
    const observed = {
      onFlow: flowNoter(request),
      onVersion: writeEtag(reply),
      requestLog: requestLogOf(request),
    }
    sendJson(reply, await skipToTimer({ ...named, ...observed }, chat))
  })
}
