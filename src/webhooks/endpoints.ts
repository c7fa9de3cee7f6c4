import type { EventType, OutgoingWebhookBody } from '../../schemas/outgoing-webhooks.ts'
import type { Subscriber, Subscribers } from '../conversations/outgoing/event-subscribers.ts'
import { destinationOf, type EndpointTable, type StoredEndpoint } from '../stores/outgoing/endpoint-table.ts'

/** A place that events are sent to. */
export interface Endpoint extends Subscriber, Omit<OutgoingWebhookBody, 'includesContent' | 'secrets'> {
  readonly name: string
  readonly revision: number
  readonly secrets: readonly string[]
  /** Why nothing is sent there; undefined while it is. */
  readonly disabled: string | undefined
}

/** The endpoints as this process knows them: asking costs no more than a look. */
export class Endpoints implements Subscribers {
  readonly #table: Pick<EndpointTable, 'list'>
  isEmpty = true
  #all: readonly Endpoint[] = []
  #enabled: readonly Endpoint[] = []

  constructor(table: Pick<EndpointTable, 'list'>) {
    this.#table = table
  }

  get all(): readonly Endpoint[] {
    return this.#all
  }

  get enabled(): readonly Endpoint[] {
    return this.#enabled
  }

  find(name: string): Endpoint | undefined {
    return this.#all.find((endpoint) => endpoint.name === name)
  }

  wanting(type: EventType, publicId: string): readonly Subscriber[] {
    return this.#enabled.filter(
      ({ events, flows }) => (events?.includes(type) ?? true) && (flows?.includes(publicId) ?? true),
    )
  }

  /** Reads them anew: other processes may have changed them. */
  async refresh(): Promise<void> {
    this.#all = (await this.#table.list()).map(endpointOf)
    this.#enabled = this.#all.filter(({ disabled }) => disabled === undefined)
    this.isEmpty = this.#enabled.length === 0
  }
}

function endpointOf({ name, revision, text, disabled }: StoredEndpoint): Endpoint {
  const { secrets = [], includesContent = false, ...settings } = JSON.parse(text) as OutgoingWebhookBody
  const destination = destinationOf(name)
  return {
    ...settings,
    name,
    revision,
    secrets,
    includesContent,
    destination,
    disabled: disabled ?? undefined,
  }
}
