import {
  Deliveries,
  DeliveryParams,
  OutgoingWebhook,
  OutgoingWebhookBody,
  OutgoingWebhookParams,
  OutgoingWebhooks,
} from '../../../schemas/outgoing-webhooks.ts'
import type { Server } from '../../http/types.ts'
import type { Webhooks } from '../../webhooks/webhooks-service.ts'
import { destinationRoutes } from './destination-routes.ts'

/** Where events are sent (docs/api.md 4.30). */
export function webhookRoutes(app: Server, { webhooks }: { readonly webhooks: Webhooks }): void {
  destinationRoutes(app, webhooks, {
    name: 'webhooks',
    tag: 'Webhooks',
    operations,
    params: OutgoingWebhookParams,
    deliveryParams: DeliveryParams,
    body: OutgoingWebhookBody,
    one: OutgoingWebhook,
    all: OutgoingWebhooks,
    deliveries: Deliveries,
    areSomeFixed: false,
  })
}

const operations = {
  list: { operationId: 'listWebhooks', summary: 'See where events are sent' },
  get: { operationId: 'getWebhook', summary: 'See where events of one webhook are sent' },
  put: {
    operationId: 'putWebhook',
    summary: 'Have events sent to an address',
    description: 'In the place of what the webhook was before; one that was disabled is enabled by it.',
  },
  remove: { operationId: 'deleteWebhook', summary: 'Have no more events sent, nor those that wait' },
  deliveries: { operationId: 'listDeliveries', summary: 'See what became of the events for a webhook' },
  retry: {
    operationId: 'retryDeliveries',
    summary: 'Send all events now that have not arrived',
    description: 'Those that were set aside as well, as if for the first time.',
  },
  retryOne: { operationId: 'retryDelivery', summary: 'Send one event now that has not arrived' },
}
