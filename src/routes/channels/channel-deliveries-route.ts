import { ChannelDeliveries, ChannelDeliveryParams, ChannelParams } from '../../../schemas/channels.ts'
import { DeliveriesQuery, Retried } from '../../../schemas/outgoing-webhooks.ts'
import type { Channels } from '../../channels/channels-service.ts'
import { failures, operatorFailures, success } from '../../http/openapi/response-schemas.ts'
import { coerceQueryNumbers } from '../../http/request/queries.ts'
import type { Server } from '../../http/types.ts'

const common = { tags: ['Channels'], security: [{ adminToken: ['operate'] }] }

const listSchema = {
  ...common,
  operationId: 'listChannelDeliveries',
  summary: 'See what became of the messages of a channel',
  params: ChannelParams,
  querystring: DeliveriesQuery,
  response: { ...success('A page of deliveries', ChannelDeliveries), ...failures(...operatorFailures) },
}

const retrySchema = {
  ...common,
  operationId: 'retryChannelDeliveries',
  summary: 'Send all messages now that have not arrived',
  description: 'Those that were set aside as well, as if for the first time.',
  params: ChannelParams,
  response: { ...success('They are sent', Retried), ...failures(...operatorFailures) },
}

const retryOneSchema = {
  ...common,
  operationId: 'retryChannelDelivery',
  summary: 'Send one message now that has not arrived',
  params: ChannelDeliveryParams,
  response: { ...success('It is sent', Retried), ...failures(...operatorFailures) },
}

const path = '/v1/channels/:name'

/** The messages of a channel, and sending them anew (docs/api.md 4.32). */
export function channelDeliveriesRoute(app: Server, { channels }: { readonly channels: Channels }): void {
  app.get(
    `${path}/deliveries`,
    { schema: listSchema, preValidation: coerceQueryNumbers('limit', 'before') },
    async ({ params, query }) => channels.deliveriesOf(params.name, query),
  )

  app.post(`${path}/retry`, { schema: retrySchema }, async ({ params }) => channels.retry(params.name))

  app.post(`${path}/deliveries/:number/retry`, { schema: retryOneSchema }, async ({ params }) =>
    channels.retry(params.name, Number(params.number)),
  )
}
