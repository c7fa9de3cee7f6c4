import { SessionParams } from '../../../schemas/continue-chat.ts'
import { ClientLogsBody, ClientLogsResponse } from '../../../schemas/session.ts'
import { saveClientLogs } from '../../conversations/continue/save-client-logs.ts'
import type { ChatDependencies } from '../../conversations/dependencies.ts'
import { bodyFailures, failures, success } from '../../http/openapi/response-schemas.ts'
import { foreignOriginOf } from '../../http/request/request-source.ts'
import { flowNoter } from '../../http/request-log.ts'
import type { Server } from '../../http/types.ts'

const schema = {
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
  app.post('/v2/sessions/:sessionId/clientLogs', { schema }, async (request) => {
    const { id: requestId, params, body, caller } = request
    const named = { sessionId: params.sessionId, caller, origin: foreignOriginOf(request) }
    await saveClientLogs({ requestId, ...named, body, onFlow: flowNoter(request) }, chat)
    return { message: 'Logs successfully saved.' }
  })
}
