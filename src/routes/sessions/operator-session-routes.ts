import { SessionParams } from '../../../schemas/continue-chat.ts'
import { UpdateFlowResponse } from '../../../schemas/session.ts'
import { ExecuteWebhookBody, ExecuteWebhookResponse, WebhookParams } from '../../../schemas/webhooks.ts'
import { executeWebhook } from '../../conversations/continue/execute-webhook.ts'
import { updateFlow } from '../../conversations/continue/update-flow.ts'
import type { ChatDependencies } from '../../conversations/dependencies.ts'
import { bodyFailures, failures, operatorFailures, success } from '../../http/openapi/response-schemas.ts'
import { flowNoter } from '../../http/request-log.ts'
import type { Server } from '../../http/types.ts'

const refusals = failures(...operatorFailures, ...bodyFailures, 'CONFLICT', 'TOO_MANY_REQUESTS')

const updateSchema = {
  operationId: 'updateFlow',
  tags: ['Chat'],
  summary: 'Move a session to the published version of its flow',
  description:
    'A session stays on the version that it started with, until this is called. Everything that was said and written down stays. A session that waits, or is to come back, at a block that the published version lacks is left as it is. Needs the admin token.',
  params: SessionParams,
  security: [{ adminToken: ['publish'] }],
  response: { ...success('It is on the published version', UpdateFlowResponse), ...refusals },
}

const webhookSchema = {
  operationId: 'executeWebhook',
  tags: ['Chat'],
  summary: 'Tell a waiting conversation what happened elsewhere',
  description:
    'Keeps an object with the live session that waits at this webhook listener. The next continue that says nothing hands it to the block. One that was not fetched yet is replaced. Needs the admin token.',
  params: WebhookParams,
  body: ExecuteWebhookBody,
  security: [{ adminToken: ['operate'] }],
  response: { ...success('It is kept', ExecuteWebhookResponse), ...refusals },
}

/** Sessions that an operator moves on (docs/api.md 4.5; docs/behaviour/logic.md, "Webhook listener"). */
export function operatorSessionRoutes(app: Server, { chat }: { readonly chat: ChatDependencies }): void {
  app.post('/v1/sessions/:sessionId/updateFlow', { schema: updateSchema }, async (request) => {
    await updateFlow({ ...request.params, onFlow: flowNoter(request) }, chat)
    return { message: 'success' }
  })

  const path = '/v1/flows/:flowId/blocks/:blockId/results/:resultId/executeWebhook'
  app.post(path, { schema: webhookSchema }, async (request) => {
    const { params, body: payload } = request
    await executeWebhook({ ...params, payload, onFlow: flowNoter(request) }, chat)
    return { message: 'OK' }
  })
}
