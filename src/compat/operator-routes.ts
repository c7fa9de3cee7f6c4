import { SessionParams } from '../../schemas/continue-chat.ts'
import { Type } from '../../schemas/type.ts'
import { ExecuteWebhookBody, WebhookParams } from '../../schemas/webhooks.ts'
import { executeWebhook } from '../conversations/continue/execute-webhook.ts'
import { updateFlow } from '../conversations/continue/update-flow.ts'
import type { ChatDependencies } from '../conversations/dependencies.ts'
import { flowNoter } from '../http/request-log.ts'
import type { Server } from '../http/types.ts'
import { ServiceError } from '../lib/errors.ts'
import type { WebhookRooms } from './webhook-rooms.ts'

interface OperatorDependencies {
  readonly chat: ChatDependencies
  readonly rooms: Pick<WebhookRooms, 'callPreviews'>
  readonly previewToken: string | undefined
}

/** Routes that the operator's own systems call. */
export function operatorCalls(app: Server, { chat, rooms, previewToken }: OperatorDependencies): void {
  const session = { params: SessionParams, security: [{ adminToken: ['publish'] }] }
  const security = [{ adminToken: ['operate'] }]
  app.post('/v1/sessions/:sessionId/updateTypebot', { schema: session }, async (request) => {
    const { sessionId } = request.params
    await updateFlow({ sessionId, onFlow: flowNoter(request) }, chat)
    return { message: 'success' }
  })

  const path = '/v1/typebots/:flowId/blocks/:blockId/results/:resultId/executeWebhook'
  const schema = { params: WebhookParams, body: ExecuteWebhookBody, security }
  app.post(path, { schema }, async (request) => {
    const { params, body: payload } = request
    await executeWebhook({ ...params, payload, onFlow: flowNoter(request) }, chat)
    return { message: 'OK' }
  })

  const { flowId, blockId } = WebhookParams.properties
  const tested = { params: Type.Object({ flowId, blockId }), body: ExecuteWebhookBody, security }
  const testPath = '/v1/typebots/:flowId/blocks/:blockId/web/executeTestWebhook'
  app.post(testPath, { schema: tested }, async ({ params, body }) => {
    if (previewToken === undefined)
      throw new ServiceError(
        'FORBIDDEN',
        'Test calls reach previews started with PREVIEW_TOKEN, which is not set',
      )
    rooms.callPreviews(params, body)
    return { message: 'OK' }
  })
}
