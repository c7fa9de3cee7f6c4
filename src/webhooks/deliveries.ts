import { mostDestinations } from '../delivery/destinations.ts'
import { QueuePump } from '../delivery/queue-pump.ts'
import { ServiceError } from '../lib/errors.ts'
import type { HttpClient } from '../ports/http-client-port.ts'
import type { Metrics } from '../ports/metrics-port.ts'
import type { Ports } from '../ports/ports.ts'
import type { ConversationStore } from '../stores/conversation-store.ts'
import { destinationOf, type EndpointTable } from '../stores/outgoing/endpoint-table.ts'
import type { ClaimedEvent, OutboxStore, SendOutcome } from '../stores/outgoing/outbox-store.ts'
import { deliver, timeoutMs } from './deliver.ts'
import type { Endpoint, Endpoints } from './endpoints.ts'

interface DeliveriesOptions {
  readonly endpoints: Endpoints
  readonly table: Pick<EndpointTable, 'disable'>
  readonly outbox: Pick<OutboxStore, 'claim' | 'settle'>
  readonly conversations: Pick<ConversationStore, 'watchOutgoing'>
  readonly http: Pick<HttpClient, 'stream'>
  readonly ports: Pick<Ports, 'now' | 'elapsed' | 'random'>
  readonly metrics: Pick<Metrics, 'deliveryDone'>
  readonly closing: AbortSignal
  readonly log: { warn(details: object, message: string): void }
}

/** Deliveries to one endpoint, as this process sees them. */
interface Health {
  /** In a row. */
  failures: number
  /** By the clock of the world. */
  failingSince: number
  error: string
  /** By a clock that only goes forward. */
  pausedUntil: number
}

/** Deliveries under way: none of the endpoints takes the places of another. */
const mostUnderWay = mostDestinations
const mostOfOne = 8

/** Another process may send what was not settled by then. */
const leaseMs = 2 * timeoutMs

/** An endpoint that fails so often in a row is paused, and then gets one event at a time. */
const manyFailures = 5
const shortestPauseMs = 5_000
const longestPauseMs = 5 * 60_000

/** Sends what the outbox has for webhooks. Any number of processes may do so on one back end. */
export class Deliveries extends QueuePump {
  readonly #options: DeliveriesOptions
  readonly #health = new Map<string, Health>()

  constructor(options: DeliveriesOptions) {
    const { endpoints, outbox, conversations, ports, log } = options
    super({
      queue: outbox,
      refresh: () => endpoints.refresh(),
      destinations: () => this.#destinations(),
      mostOf: (destination) => (this.#isFailing(destination) ? 1 : mostOfOne),
      handle: (event) => this.#send(event),
      atOnce: mostUnderWay,
      leaseMs,
      elapsed: ports.elapsed,
      log,
      what: 'events for webhooks',
      watch: conversations.watchOutgoing,
    })
    this.#options = options
  }

  /** Ends the pause of an endpoint that an operator has seen to. */
  resume(name: string): void {
    const health = this.#health.get(destinationOf(name))
    if (health) health.failures = 0
    this.wake()
  }

  /** Why deliveries to an endpoint fail at present; undefined where they don't. */
  problemOf(name: string): string | undefined {
    const health = this.#health.get(destinationOf(name))
    if (!health || health.failures < manyFailures) return undefined
    return `${health.error} (since ${new Date(health.failingSince).toISOString()})`
  }

  /** For the operator to know. */
  readonly notices = (): readonly string[] =>
    this.#options.endpoints.all.flatMap(({ name, disabled }) => {
      const problem = disabled ?? this.problemOf(name)
      if (problem === undefined) return []
      return `Webhook "${name}" ${disabled ? 'is disabled' : 'fails and is paused'}: ${problem}`
    })

  #isFailing(destination: string): boolean {
    return (this.#health.get(destination)?.failures ?? 0) >= manyFailures
  }

  #destinations(): readonly string[] {
    const { endpoints, ports } = this.#options
    const isPaused = (destination: string) =>
      this.#isFailing(destination) && ports.elapsed() < (this.#health.get(destination)?.pausedUntil ?? 0)
    return endpoints.enabled.flatMap(({ destination }) => (isPaused(destination) ? [] : [destination]))
  }

  async #send(event: ClaimedEvent): Promise<SendOutcome> {
    const { http, closing, ports, endpoints, metrics } = this.#options
    const endpoint = endpoints.enabled.find(({ destination }) => destination === event.destination)
    // It was disabled or removed meanwhile.
    if (!endpoint) return { state: 'waiting', pauseMs: 0 }
    const { outcome, gone } = await deliver(event, endpoint, { ...ports, http, closing })
    if (!closing.aborted) {
      this.#note(this.#healthOf(event.destination), outcome)
      metrics.deliveryDone('webhook', outcome.state === 'waiting' ? 'failed' : outcome.state)
    }
    if (gone !== undefined) await this.#disable(endpoint, gone)
    return outcome
  }

  async #disable(endpoint: Endpoint, why: string): Promise<void> {
    const { table, endpoints, log } = this.#options
    try {
      await table.disable(endpoint, why)
      await endpoints.refresh()
      log.warn({ webhook: endpoint.name }, 'a webhook is disabled, as it answered 410 Gone')
    } catch (error) {
      // The next event is answered alike.
      if (!(error instanceof ServiceError)) log.warn({ err: error }, 'a webhook could not be disabled')
    }
  }

  #healthOf(destination: string): Health {
    const fresh = { failures: 0, failingSince: 0, error: '', pausedUntil: 0 }
    const health = this.#health.get(destination) ?? fresh
    this.#health.set(destination, health)
    return health
  }

  #note(health: Health, outcome: SendOutcome): void {
    const { ports } = this.#options
    if (outcome.state === 'delivered') {
      health.failures = 0
      return
    }
    if (health.failures === 0) health.failingSince = ports.now()
    health.failures += 1
    health.error = outcome.error ?? ''
    const pauseMs = Math.min(shortestPauseMs * 2 ** (health.failures - manyFailures), longestPauseMs)
    health.pausedUntil = ports.elapsed() + pauseMs * (0.9 + 0.2 * ports.random())
  }
}
