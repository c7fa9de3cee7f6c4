import { ExecuteWebhookBody, ExecuteWebhookResponse, WebhookParams } from '../../../schemas/webhooks.ts'
import { executeWebhook } from '../../conversations/continue/execute-webhook.ts'
import type { ChatDependencies } from '../../conversations/dependencies.ts'
import { bodyFailures, failures, operatorFailures, success } from '../../http/openapi/response-schemas.ts'
import { flowNoter } from '../../http/request-log.ts'
import type { Server } from '../../http/types.ts'

const schema = {
  operationId: 'executeWebhook',
  tags: ['Chat'],
  summary: 'Tell a waiting conversation what happened elsewhere',
  description:
    'Keeps an object with the live session that waits at this webhook listener. The next continue that says nothing hands it to the block. One that was not fetched yet is replaced. Needs the admin token.',
  params: WebhookParams,
  body: ExecuteWebhookBody,
  security: [{ adminToken: ['operate'] }],
  response: {
    ...success('It is kept', ExecuteWebhookResponse),
    ...failures(...operatorFailures, ...bodyFailures, 'CONFLICT', 'TOO_MANY_REQUESTS'),
  },
}

/** The call that a webhook listener waits for (docs/behaviour/logic.md, "Webhook listener"). */
export function executeWebhookRoute(app: Server, { chat }: { readonly chat: ChatDependencies }): void {
  const path = '/v1/flows/:flowId/blocks/:blockId/results/:resultId/executeWebhook'
  app.post(path, { schema }, async (request) => {
    const { params, body: payload } = request
    await executeWebhook({ ...params, payload, onFlow: flowNoter(request) }, chat)
    return { message: 'OK' }
  })
}
