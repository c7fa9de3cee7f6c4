import type { DeliveriesQuery } from '../../schemas/outgoing-webhooks.ts'
import { ServiceError } from '../lib/errors.ts'
import type { EndpointTable } from '../stores/outgoing/endpoint-table.ts'
import type { Delivery, OutboxStore } from '../stores/outgoing/outbox-store.ts'

/** A place that events go to, as this process knows it. */
export interface Destination {
  readonly name: string
  readonly destination: string
}

export interface DestinationParts<Place extends Destination> {
  readonly directory: {
    readonly all: readonly Place[]
    find(name: string): Place | undefined
    refresh(): Promise<void>
  }
  readonly table: EndpointTable
  readonly outbox: Pick<OutboxStore, 'list' | 'retry'>
  readonly sender: { resume(name: string): void; problemOf(name: string): string | undefined }
}

/** Deliveries of a page. */
const usualLimit = 50

/** Places of a kind that there may be. */
export const mostDestinations = 64

/** Operations on the places of a kind, webhooks or channels. Everything about one that is not there throws NOT_FOUND. */
export abstract class Destinations<
  Place extends Destination,
  Settings,
  Answer,
  Parts extends DestinationParts<Place> = DestinationParts<Place>,
> {
  protected readonly parts: Parts
  readonly #kind: 'webhook' | 'channel'
  #puts: Promise<unknown> = Promise.resolve()

  constructor(kind: 'webhook' | 'channel', parts: Parts) {
    this.#kind = kind
    this.parts = parts
  }

  async list(): Promise<Answer[]> {
    const { directory } = this.parts
    await directory.refresh()
    return Promise.all(directory.all.map((place) => this.describe(place)))
  }

  async get(name: string): Promise<Answer> {
    return this.describe(await this.find(name))
  }

  /** Throws as `kept` does, and CONFLICT where there are too many: one at a time, as each counts those before it. */
  put(name: string, settings: Settings, actor: string): Promise<Answer> {
    const done = this.#puts.then(() => this.#put(name, settings, actor))
    this.#puts = done.catch(() => undefined)
    return done
  }

  async #put(name: string, settings: Settings, actor: string): Promise<Answer> {
    const { directory, table, outbox, sender } = this.parts
    await directory.refresh()
    const before = directory.find(name)
    const text = JSON.stringify(this.kept(settings, before))
    const isFull = !before && directory.all.length >= mostDestinations
    if (isFull || !(await table.put({ name, text, actor, most: mostDestinations }))) throw this.#tooMany()
    const place = await this.find(name)
    await outbox.retry(place.destination, 'waiting')
    sender.resume(name)
    return this.describe(place)
  }

  async remove(name: string, actor: string): Promise<void> {
    const { directory, table } = this.parts
    if (!(await table.remove({ name, actor }))) throw this.#notFound()
    await directory.refresh()
  }

  async deliveriesOf(name: string, { limit = usualLimit, before, state }: DeliveriesQuery) {
    const { destination } = await this.find(name)
    const found = await this.parts.outbox.list(destination, { limit, before, state })
    return { deliveries: found.map(describeDelivery) }
  }

  /** Sends one event that has not arrived, or all of them, now. Throws NOT_FOUND for one that is not there or has arrived. */
  async retry(name: string, number?: number) {
    const { destination } = await this.find(name)
    const retried = await this.parts.outbox.retry(destination, number)
    if (number !== undefined && retried === 0)
      throw new ServiceError('NOT_FOUND', 'There is no such delivery, or it has arrived')
    this.parts.sender.resume(name)
    return { retried }
  }

  /** Settings as they are kept, in the place of those before. Throws for what their shape does not show. */
  protected abstract kept(settings: Settings, before: Place | undefined): object

  protected abstract describe(place: Place): Answer | Promise<Answer>

  /** As the table has it now, whichever process changed it. */
  protected async find(name: string): Promise<Place> {
    const { directory } = this.parts
    await directory.refresh()
    const place = directory.find(name)
    if (!place) throw this.#notFound()
    return place
  }

  #notFound() {
    return new ServiceError('NOT_FOUND', `There is no ${this.#kind} of this name`)
  }

  #tooMany() {
    return new ServiceError(
      'CONFLICT',
      `There are ${mostDestinations} ${this.#kind}s, the most that there may be: delete one first`,
    )
  }
}

/** A delivery as an answer shows it: times as text, and nothing that is not known. */
function describeDelivery({ createdAt, dueAt, settledAt, error, status, ...rest }: Delivery) {
  return {
    ...rest,
    createdAt: momentOf(createdAt),
    ...(status !== null && { status }),
    ...(dueAt !== null && { dueAt: momentOf(dueAt) }),
    ...(settledAt !== null && { settledAt: momentOf(settledAt) }),
    ...(error !== null && { error }),
  }
}

const momentOf = (ms: number) => new Date(ms).toISOString()
