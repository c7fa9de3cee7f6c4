import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../lib/errors.ts'
import type { ClaimedEvent, EventQueue, SendOutcome } from '../stores/outgoing/outbox-store.ts'

/** Whether nobody else takes an event before so many milliseconds have passed; none unless given. */
export type IsOurs = (forMs?: number) => boolean

interface PumpOptions {
  readonly queue: Pick<EventQueue, 'claim' | 'settle'>
  /** Reads anew whose events there may be. */
  refresh(): Promise<void>
  /** Those whose events are wanted now. */
  destinations(): readonly string[]
  /** How many of one may be under way, where that is less than its share. */
  mostOf?(destination: string): number
  /** Does what an event asks for. Never rejects. Once it `isOurs` no more, others may have done it, and what is behind it. */
  handle(event: ClaimedEvent, isOurs: IsOurs): Promise<SendOutcome>
  /** Events under way at once. */
  readonly atOnce: number
  /** Another process may do what was not settled by then. */
  readonly leaseMs: number
  readonly elapsed: () => number
  readonly log: { warn(details: object, message: string): void }
  /** For the log: what can't be looked for. */
  readonly what: string
  /** Has the pump woken as something comes into the queue; returns what ends that. */
  watch?(wake: () => void): () => void
}

/** How often what is due is looked for; what this process puts into the queue is taken at once. */
const pollMs = 1000

/** How often it is looked up whose events there may be, as other processes may change them. */
const refreshMs = 2000

const settleAgainMs = 500

/** Takes events from a queue as there is room, each destination its share. Any number of processes may do so on one back end. */
export class QueuePump {
  readonly #options: PumpOptions
  readonly #underWay = new Map<string, number>()
  readonly #running = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #pumping: Promise<void> | undefined
  #isWoken = false
  #isStopped = false
  #refreshedAt = Number.NEGATIVE_INFINITY
  readonly #endWatch: (() => void) | undefined

  constructor(options: PumpOptions) {
    this.#options = options
    this.wake()
    this.#endWatch = options.watch?.(this.wake)
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

  /** Begins nothing more: other processes, or the next one, take what is left. */
  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    this.#endWatch?.()
  }

  /** Resolves once what was under way is over. */
  async close(): Promise<void> {
    this.stop()
    await this.#pumping
    await Promise.all(this.#running)
  }

  async #pump(): Promise<void> {
    const { queue, refresh, elapsed, leaseMs, log, what } = this.#options
    try {
      // Turns that are answered together wake once.
      await new Promise((resolve) => setImmediate(resolve))
      while (this.#isWoken && !this.#isStopped) {
        this.#isWoken = false
        if (elapsed() - this.#refreshedAt >= refreshMs) {
          await refresh()
          this.#refreshedAt = elapsed()
        }
        const wanted = this.#wanted()
        if (wanted.length === 0 || this.#isStopped) return
        const claimedAt = elapsed()
        const isOurs = (forMs = 0) => elapsed() - claimedAt + forMs < leaseMs
        const events = await queue.claim(wanted, leaseMs)
        if (isOurs()) for (const event of events) this.#begin(event, isOurs)
      }
    } catch (error) {
      // A store that is away has said so itself, and once.
      if (!this.#isStopped && !(error instanceof ServiceError))
        log.warn({ err: error }, `${what} cannot be looked for`)
    }
  }

  #wanted() {
    const { destinations, atOnce, mostOf } = this.#options
    const all = destinations()
    const share = Math.max(1, Math.floor(atOnce / all.length))
    return all.flatMap((destination) => {
      const most = Math.min(share, mostOf?.(destination) ?? share)
      const limit = most - (this.#underWay.get(destination) ?? 0)
      return limit > 0 ? [{ destination, limit }] : []
    })
  }

  #begin(event: ClaimedEvent, isOurs: IsOurs): void {
    const { destination } = event
    const count = (by: number) => this.#underWay.set(destination, (this.#underWay.get(destination) ?? 0) + by)
    count(1)
    const done = this.#handle(event, isOurs).finally(() => {
      count(-1)
      this.#running.delete(done)
      this.wake()
    })
    this.#running.add(done)
  }

  async #handle(event: ClaimedEvent, isOurs: IsOurs): Promise<void> {
    const { handle, log, what } = this.#options
    const outcome = await handle(event, isOurs)
    try {
      await this.#settle(event, outcome, isOurs)
      const waitMs =
        (outcome.state === 'waiting' && outcome.pauseMs) || (outcome.state === 'delivered' && outcome.restMs)
      if (waitMs && waitMs < pollMs) setTimeout(this.wake, waitMs).unref()
    } catch (error) {
      // It is done once more, as the lease runs out.
      if (!(error instanceof ServiceError)) log.warn({ err: error }, `${what} cannot be settled`)
    }
  }

  /**
   * A store that is away is asked again, as what is not noted is done twice. What was not tried is left to its lease: it may be noted
   * already, and claimed anew as the same attempt, which a second note would take away from whoever is at it.
   */
  async #settle(event: ClaimedEvent, outcome: SendOutcome, isOurs: IsOurs): Promise<void> {
    for (;;) {
      try {
        return await this.#options.queue.settle(event, outcome)
      } catch (error) {
        if (isUntried(outcome) || !isOurs() || this.#isStopped) throw error
        await sleep(settleAgainMs, undefined, { ref: false })
      }
    }
  }
}

const isUntried = (outcome: SendOutcome) => outcome.state === 'waiting' && outcome.error === undefined
