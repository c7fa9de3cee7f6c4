import type {
  Deliveries as DeliveriesBody,
  DeliveriesQuery,
  EventType,
  OutgoingWebhook,
  OutgoingWebhookBody,
} from '../../schemas/outgoing-webhooks.ts'
import { describeDelivery } from '../delivery/describe-delivery.ts'
import { invalidInput, ServiceError } from '../lib/errors.ts'
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

/** Deliveries of a page. */
const usualLimit = 50

/** Operations on the endpoints of events. Everything about one that is not there throws NOT_FOUND. */
export class Webhooks {
  readonly #parts: WebhooksDependencies

  constructor(parts: WebhooksDependencies) {
    this.#parts = parts
  }

  async list() {
    const { endpoints } = this.#parts
    await endpoints.refresh()
    return { webhooks: endpoints.all.map((endpoint) => this.#describe(endpoint)) }
  }

  async get(name: string): Promise<OutgoingWebhook> {
    return this.#describe(await this.#find(name))
  }

  /** Throws BAD_REQUEST for what is no address and for a new one without secrets, CONFLICT where there are too many. */
  async put(name: string, body: OutgoingWebhookBody, actor: string): Promise<OutgoingWebhook> {
    const { endpoints, table, outbox, deliveries } = this.#parts
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
    const endpoint = await this.#find(name)
    deliveries.resume(name)
    return this.#describe(endpoint)
  }

  async remove(name: string, actor: string): Promise<void> {
    const { endpoints, table } = this.#parts
    if (!(await table.remove({ name, actor }))) throw notFound()
    await endpoints.refresh()
  }

  async deliveriesOf(
    name: string,
    { limit = usualLimit, before, state }: DeliveriesQuery,
  ): Promise<DeliveriesBody> {
    await this.#find(name)
    const found = await this.#parts.outbox.list(destinationOf(name), { limit, before, state })
    const deliveries = found.map((delivery) => {
      const { type, status: _, ...described } = describeDelivery(delivery)
      return { ...described, type: type as EventType }
    })
    return { deliveries }
  }

  /** Sends one event that has not arrived, or all of them, now. Throws NOT_FOUND for one that is not there or has arrived. */
  async retry(name: string, number?: number) {
    await this.#find(name)
    const retried = await this.#parts.outbox.retry(destinationOf(name), number)
    if (number !== undefined && retried === 0)
      throw new ServiceError('NOT_FOUND', 'There is no such delivery, or it has arrived')
    this.#parts.deliveries.resume(name)
    return { retried }
  }

  /** As the table has it now, whichever process changed it. */
  async #find(name: string): Promise<Endpoint> {
    const { endpoints } = this.#parts
    await endpoints.refresh()
    const endpoint = endpoints.find(name)
    if (!endpoint) throw notFound()
    return endpoint
  }

  #describe(endpoint: Endpoint): OutgoingWebhook {
    const { name, url, events, flows, includesContent, secrets, disabled } = endpoint
    const failing = this.#parts.deliveries.problemOf(name)
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
}

const notFound = () => new ServiceError('NOT_FOUND', 'There is no webhook of this name')

const tooMany = () =>
  new ServiceError(
    'CONFLICT',
    `There are ${mostEndpoints} webhooks, the most that there may be: delete one first`,
  )
