import {
  OutgoingWebhook,
  OutgoingWebhookBody,
  OutgoingWebhookParams,
  OutgoingWebhooks,
} from '../../../schemas/outgoing-webhooks.ts'
import {
  anyFailures,
  bodyFailures,
  failures,
  operatorFailures,
  success,
} from '../../http/openapi/response-schemas.ts'
import { actorOf } from '../../http/protection/auth.ts'
import { disableBodyParsing } from '../../http/request/body/raw-body.ts'
import type { Server } from '../../http/types.ts'
import type { Webhooks } from '../../webhooks/webhooks-service.ts'

const common = { tags: ['Webhooks'], security: [{ adminToken: ['operate'] }] }
const one = { ...common, params: OutgoingWebhookParams }

const listSchema = {
  ...common,
  operationId: 'listWebhooks',
  summary: 'See where events are sent',
  response: {
    ...success('All of them', OutgoingWebhooks),
    ...failures(...anyFailures, 'UNAUTHORIZED', 'FORBIDDEN'),
  },
}

const getSchema = {
  ...one,
  operationId: 'getWebhook',
  summary: 'See where events of one webhook are sent',
  response: { ...success('Its settings', OutgoingWebhook), ...failures(...operatorFailures) },
}

const putSchema = {
  ...one,
  operationId: 'putWebhook',
  summary: 'Have events sent to an address',
  description: 'In the place of what the webhook was before; one that was disabled is enabled by it.',
  body: OutgoingWebhookBody,
  response: {
    ...success('Its settings', OutgoingWebhook),
    ...failures(...bodyFailures, 'UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT'),
  },
}

const deleteSchema = {
  ...one,
  operationId: 'deleteWebhook',
  summary: 'Have no more events sent, nor those that wait',
  response: {
    204: { description: 'It is deleted', type: 'null' },
    ...failures(...operatorFailures),
  },
}

const path = '/v1/webhooks/:name'

/** Where events are sent (docs/api.md 4.30). */
export function outgoingWebhookRoute(app: Server, { webhooks }: { readonly webhooks: Webhooks }): void {
  app.get('/v1/webhooks', { schema: listSchema }, async () => webhooks.list())

  app.get(path, { schema: getSchema }, async ({ params }) => webhooks.get(params.name))

  app.put(path, { schema: putSchema }, async (request) =>
    webhooks.put(request.params.name, request.body, actorOf(request)),
  )

  app.register(async (scope: Server) => {
    disableBodyParsing(scope)
    scope.delete(path, { schema: deleteSchema }, async (request, reply) => {
      await webhooks.remove(request.params.name, actorOf(request))
      return reply.code(204).send()
    })
  })
}
