import { ServiceError } from '../lib/errors.ts'
import type { HttpClient } from '../ports/http-client-port.ts'
import type { Metrics } from '../ports/metrics-port.ts'
import type { Ports } from '../ports/ports.ts'
import type { ConversationStore } from '../stores/conversation-store.ts'
import type { EndpointTable } from '../stores/outgoing/endpoint-table.ts'
import type { ClaimedEvent, OutboxStore } from '../stores/outgoing/outbox-store.ts'
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
  underWay: number
  /** In a row. */
  failures: number
  /** By the clock of the world. */
  failingSince: number
  error: string
  /** By a clock that only goes forward. */
  pausedUntil: number
}

/** How often what is due is looked for; what this process puts out is sent at once. */
const pollMs = 1000

/** How often endpoints are read anew, as other processes may change them. */
const refreshMs = 2000

/** Deliveries under way: none of the endpoints takes the places of another. */
const mostUnderWay = 64
const mostOfOne = 8

/** Endpoints that there may be. */
export const mostEndpoints = mostUnderWay

/** Another process may send what was not settled by then. */
const leaseMs = 2 * timeoutMs

/** An endpoint that fails so often in a row is paused, and then gets one event at a time. */
const manyFailures = 5
const shortestPauseMs = 5_000
const longestPauseMs = 5 * 60_000

/** Sends what the outbox has for webhooks. Any number of processes may do so on one back end. */
export class Deliveries {
  readonly #options: DeliveriesOptions
  readonly #health = new Map<string, Health>()
  readonly #underWay = new Set<Promise<void>>()
  readonly #endWatch: () => void
  #timer: NodeJS.Timeout | undefined
  #pumping: Promise<void> | undefined
  #isWoken = false
  #isStopped = false
  #refreshedAt = Number.NEGATIVE_INFINITY

  constructor(options: DeliveriesOptions) {
    this.#options = options
    this.#endWatch = options.conversations.watchOutgoing(this.wake)
    this.wake()
  }

  /** Looks for what is due. */
  readonly wake = (): void => {
    this.#isWoken = true
    if (this.#pumping || this.#isStopped) return
    clearTimeout(this.#timer)
    this.#pumping = this.#pump().finally(() => {
      this.#pumping = undefined
      if (this.#isWoken) this.wake()
      else if (!this.#isStopped) this.#timer = setTimeout(this.wake, pollMs).unref()
    })
  }

  /** Ends the pause of an endpoint that an operator has seen to. */
  resume(name: string): void {
    const health = this.#health.get(name)
    if (health) health.failures = 0
    this.wake()
  }

  /** Begins nothing more: what is left is sent by other processes, or by the next one. */
  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    this.#endWatch()
  }

  /** Resolves once what was under way is over. */
  async close(): Promise<void> {
    this.stop()
    await this.#pumping
    await Promise.all(this.#underWay)
  }

  /** Why deliveries to an endpoint fail at present; undefined where they don't. */
  problemOf(name: string): string | undefined {
    const health = this.#health.get(name)
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

  async #pump(): Promise<void> {
    const { endpoints, outbox, ports, log } = this.#options
    try {
      while (this.#isWoken && !this.#isStopped) {
        this.#isWoken = false
        if (ports.elapsed() - this.#refreshedAt >= refreshMs) {
          await endpoints.refresh()
          this.#refreshedAt = ports.elapsed()
        }
        const wanted = this.#wanted()
        if (wanted.length === 0 || this.#isStopped) return
        for (const event of await outbox.claim(wanted, leaseMs)) this.#begin(event)
      }
    } catch (error) {
      // A store that is away has said so itself, and once.
      if (!this.#isStopped && !(error instanceof ServiceError))
        log.warn({ err: error }, 'events for webhooks cannot be looked for')
    }
  }

  /** How many events each endpoint may get now. */
  #wanted() {
    const { endpoints, ports } = this.#options
    const share = Math.min(mostOfOne, Math.floor(mostUnderWay / endpoints.enabled.length))
    return endpoints.enabled.flatMap(({ name, destination }) => {
      const { underWay = 0, failures = 0, pausedUntil = 0 } = this.#health.get(name) ?? {}
      if (failures >= manyFailures && ports.elapsed() < pausedUntil) return []
      const limit = (failures >= manyFailures ? 1 : share) - underWay
      return limit > 0 ? [{ destination, limit }] : []
    })
  }

  #begin(event: ClaimedEvent): void {
    const endpoint = this.#options.endpoints.enabled.find(
      ({ destination }) => destination === event.destination,
    )
    if (!endpoint) return
    const sent = this.#send(event, endpoint).finally(() => this.#underWay.delete(sent))
    this.#underWay.add(sent)
  }

  async #send(event: ClaimedEvent, endpoint: Endpoint): Promise<void> {
    const { http, closing, ports, outbox, table, endpoints, metrics, log } = this.#options
    const health = this.#healthOf(endpoint.name)
    health.underWay += 1
    const { outcome, gone } = await deliver(event, endpoint, { ...ports, http, closing })
    health.underWay -= 1
    if (!closing.aborted) {
      this.#note(health, outcome)
      metrics.deliveryDone(outcome.state === 'waiting' ? 'failed' : outcome.state)
    }
    try {
      await outbox.settle(event, outcome)
      if (gone !== undefined) {
        await table.disable(endpoint, gone)
        await endpoints.refresh()
        log.warn({ webhook: endpoint.name }, 'a webhook is disabled, as it answered 410 Gone')
      }
    } catch (error) {
      // It is sent once more, as the lease runs out.
      if (!(error instanceof ServiceError)) log.warn({ err: error }, 'a delivery could not be noted')
    }
    this.wake()
  }

  #healthOf(name: string): Health {
    const fresh = { underWay: 0, failures: 0, failingSince: 0, error: '', pausedUntil: 0 }
    const health = this.#health.get(name) ?? fresh
    this.#health.set(name, health)
    return health
  }

  #note(health: Health, outcome: Parameters<OutboxStore['settle']>[1]): void {
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
