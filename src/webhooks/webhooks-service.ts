import type {
  Deliveries as DeliveriesBody,
  DeliveriesQuery,
  EventType,
  OutgoingWebhook,
  OutgoingWebhookBody,
} from '../../schemas/outgoing-webhooks.ts'
import { invalidInput, ServiceError } from '../lib/errors.ts'
import { describeDelivery } from '../stores/outgoing/describe-delivery.ts'
import { destinationOf, type EndpointTable } from '../stores/outgoing/endpoint-table.ts'
import type { OutboxStore } from '../stores/outgoing/outbox-store.ts'
import { type Deliveries, mostEndpoints } from './deliveries.ts'
import type { Endpoint, Endpoints } from './endpoints.ts'

interface WebhooksDependencies {
  readonly endpoints: Endpoints
  readonly table: EndpointTable
  readonly outbox: Pick<OutboxStore, 'list' | 'retry'>
  readonly deliveries: Pick<Deliveries, 'resume' | 'problemOf'>
}

/** Operations on the endpoints of events. Everything about one that is not there throws NOT_FOUND. */
export type Webhooks = ReturnType<typeof createWebhooks>

/** Deliveries of a page. */
const usualLimit = 50

export function createWebhooks({ endpoints, table, outbox, deliveries }: WebhooksDependencies) {
  /** As the table has it now, whichever process changed it. */
  async function find(name: string): Promise<Endpoint> {
    await endpoints.refresh()
    const endpoint = endpoints.find(name)
    if (!endpoint) throw notFound()
    return endpoint
  }

  function describe(endpoint: Endpoint): OutgoingWebhook {
    const { name, url, events, flows, includesContent, secrets, disabled } = endpoint
    const failing = deliveries.problemOf(name)
    return {
      name,
      url,
      ...(events && { events }),
      ...(flows && { flows }),
      includesContent,
      secretCount: secrets.length,
      ...(disabled !== undefined && { disabled }),
      ...(failing !== undefined && { failing }),
    }
  }

  return {
    async list() {
      await endpoints.refresh()
      return { webhooks: endpoints.all.map(describe) }
    },
    get: async (name: string) => describe(await find(name)),
    /** Throws BAD_REQUEST for what is no address and for a new one without secrets, CONFLICT where there are too many. */
    async put(name: string, body: OutgoingWebhookBody, actor: string) {
      await endpoints.refresh()
      const before = endpoints.find(name)
      const { secrets = before?.secrets, url, events, flows, includesContent } = body
      if (!URL.canParse(url))
        throw invalidInput([
          { pointer: '/url', message: 'is no address: give one as https://crm.example/hooks/chat' },
        ])
      if (!secrets)
        throw invalidInput([
          {
            pointer: '/secrets',
            message: 'is missing: a new webhook needs one, `whsec_` and 24 bytes as base64',
          },
        ])
      if (!before && endpoints.all.length >= mostEndpoints) throw tooMany()
      await table.put({ name, text: JSON.stringify({ url, events, flows, includesContent, secrets }), actor })
      await outbox.retry(destinationOf(name), 'waiting')
      const endpoint = await find(name)
      deliveries.resume(name)
      return describe(endpoint)
    },
    async remove(name: string, actor: string): Promise<void> {
      if (!(await table.remove({ name, actor }))) throw notFound()
      await endpoints.refresh()
    },
    async deliveriesOf(
      name: string,
      { limit = usualLimit, before, state }: DeliveriesQuery,
    ): Promise<DeliveriesBody> {
      await find(name)
      const found = await outbox.list(destinationOf(name), { limit, before, state })
      const deliveries = found.map((delivery) => {
        const { type, status: _, ...described } = describeDelivery(delivery)
        return { ...described, type: type as EventType }
      })
      return { deliveries }
    },
    /** Sends one event that has not arrived, or all of them, now. Throws NOT_FOUND for one that is not there or has arrived. */
    async retry(name: string, number?: number) {
      await find(name)
      const retried = await outbox.retry(destinationOf(name), number)
      if (number !== undefined && retried === 0)
        throw new ServiceError('NOT_FOUND', 'There is no such delivery, or it has arrived')
      deliveries.resume(name)
      return { retried }
    },
  }
}

const notFound = () => new ServiceError('NOT_FOUND', 'There is no webhook of this name')

const tooMany = () =>
  new ServiceError(
    'CONFLICT',
    `There are ${mostEndpoints} webhooks, the most that there may be: delete one first`,
  )
