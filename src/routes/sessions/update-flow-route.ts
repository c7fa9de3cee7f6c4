import { SessionParams } from '../../../schemas/continue-chat.ts'
import { UpdateFlowResponse } from '../../../schemas/session.ts'
import { updateFlow } from '../../conversations/continue/update-flow.ts'
import type { ChatDependencies } from '../../conversations/dependencies.ts'
import { bodyFailures, failures, operatorFailures, success } from '../../http/openapi/response-schemas.ts'
import { flowNoter } from '../../http/request-log.ts'
import type { Server } from '../../http/types.ts'

const schema = {
  operationId: 'updateFlow',
  tags: ['Chat'],
  summary: 'Move a session to the published version of its flow',
  description:
    'A session stays on the version that it started with, until this is called. Everything that was said and written down stays. A session that waits, or is to come back, at a block that the published version lacks is left as it is. Needs the admin token.',
  params: SessionParams,
  security: [{ adminToken: ['publish'] }],
  response: {
    ...success('It is on the published version', UpdateFlowResponse),
    ...failures(...operatorFailures, ...bodyFailures, 'CONFLICT', 'TOO_MANY_REQUESTS'),
  },
}

/** The update of a running session (docs/api.md 4.5). */
export function updateFlowRoute(app: Server, { chat }: { readonly chat: ChatDependencies }): void {
  app.post('/v1/sessions/:sessionId/updateFlow', { schema }, async (request) => {
    const { sessionId } = request.params
    await updateFlow({ sessionId, onFlow: flowNoter(request) }, chat)
    return { message: 'success' }
  })
}
