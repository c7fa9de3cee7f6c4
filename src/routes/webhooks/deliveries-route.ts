import {
  Deliveries,
  DeliveriesQuery,
  DeliveryParams,
  OutgoingWebhookParams,
  Retried,
} from '../../../schemas/outgoing-webhooks.ts'
import { failures, operatorFailures, success } from '../../http/openapi/response-schemas.ts'
import { coerceQueryNumbers } from '../../http/request/queries.ts'
import type { Server } from '../../http/types.ts'
import type { Webhooks } from '../../webhooks/webhooks-service.ts'

const common = { tags: ['Webhooks'], security: [{ adminToken: ['operate'] }] }

const listSchema = {
  ...common,
  operationId: 'listDeliveries',
  summary: 'See what became of the events for a webhook',
  params: OutgoingWebhookParams,
  querystring: DeliveriesQuery,
  response: { ...success('A page of deliveries', Deliveries), ...failures(...operatorFailures) },
}

const retrySchema = {
  ...common,
  operationId: 'retryDeliveries',
  summary: 'Send all events now that have not arrived',
  description: 'Those that were set aside as well, as if for the first time.',
  params: OutgoingWebhookParams,
  response: { ...success('They are sent', Retried), ...failures(...operatorFailures) },
}

const retryOneSchema = {
  ...common,
  operationId: 'retryDelivery',
  summary: 'Send one event now that has not arrived',
  params: DeliveryParams,
  response: { ...success('It is sent', Retried), ...failures(...operatorFailures) },
}

const path = '/v1/webhooks/:name'

/** The events for a webhook, and sending them anew (docs/api.md 4.30). */
export function deliveriesRoute(app: Server, { webhooks }: { readonly webhooks: Webhooks }): void {
  app.get(
    `${path}/deliveries`,
    { schema: listSchema, preValidation: coerceQueryNumbers('limit', 'before') },
    async ({ params, query }) => webhooks.deliveriesOf(params.name, query),
  )

  app.post(`${path}/retry`, { schema: retrySchema }, async ({ params }) => webhooks.retry(params.name))

  app.post(`${path}/deliveries/:number/retry`, { schema: retryOneSchema }, async ({ params }) =>
    webhooks.retry(params.name, Number(params.number)),
  )
}
