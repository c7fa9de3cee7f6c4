import {
  type OutboxBounds,
  type OutboxStore,
  type OutgoingEvent,
  readReference,
  type StatusChange,
  statusOrder,
} from '../outgoing/outbox-store.ts'
import { MemoryQueue } from './memory-queue.ts'
import type { QueuedRow } from './queued-row.ts'

interface MemoryOutboxOptions extends OutboxBounds {
  /** Beyond it the oldest events go, sent or not. */
  readonly maxBytes: number
  /** Milliseconds since 1970. */
  now(): number
}

/** Events that turns of this process have put out. Its functions may be taken apart. */
export class MemoryOutbox implements OutboxStore {
  readonly #options: MemoryOutboxOptions
  readonly #queue: MemoryQueue

  constructor(options: MemoryOutboxOptions) {
    this.#options = options
    this.#queue = new MemoryQueue(options.now)
  }

  readonly put = (events: readonly OutgoingEvent[]): void => {
    for (const event of events) this.#queue.add(event)
    this.#makeRoom(this.#options.now())
  }

  readonly claim: OutboxStore['claim'] = (...claim) => this.#queue.claim(...claim)

  readonly settle: OutboxStore['settle'] = async (claimed, outcome) => {
    const row = this.#queue.get(claimed.number)
    await this.#queue.settle(claimed, outcome)
    if (row?.state === 'delivered' && outcome.state === 'delivered' && outcome.reference !== undefined)
      this.#queue.name(row, nameOf(row.destination, outcome.reference))
  }

  readonly list: OutboxStore['list'] = (...list) => this.#queue.list(...list)

  readonly retry: OutboxStore['retry'] = (...retry) => this.#queue.retry(...retry)

  readonly countWaiting = () => this.#queue.countWaiting()

  readonly track: OutboxStore['track'] = async (changes) => {
    for (const change of changes) this.#track(change)
  }

  /** Drops what belongs to lines or sessions. */
  erase(ids: ReadonlySet<string>): void {
    this.#queue.drop(
      ({ line, sessionId }) => ids.has(line) || (sessionId !== undefined && ids.has(sessionId)),
    )
  }

  drop(destination: string): void {
    this.#queue.drop((row) => row.destination === destination)
  }

  readonly usage = () => this.#queue.usage()

  #track({ destination, reference, status, error, pauseMs }: StatusChange): void {
    const row = this.#find(destination, reference)
    const rank = statusOrder.indexOf(status)
    if (!row || (row.status !== null && statusOrder.indexOf(row.status) >= rank)) return
    row.status = status
    if (status !== 'failed') {
      this.#queue.end(row, 'delivered')
      if (status !== 'sent') this.#queue.empty(row)
    } else if (pauseMs !== undefined && row.body !== '') this.#queue.wait(row, { pauseMs, error })
    else this.#queue.end(row, 'set aside', error)
  }

  #find(destination: string, reference: string): QueuedRow | undefined {
    const name = readReference(reference)
    if (!name) return this.#queue.find(nameOf(destination, reference))
    const row = this.#queue.get(name.number)
    return row?.eventId === name.eventId && row.destination === destination ? row : undefined
  }

  #makeRoom(now: number): void {
    const { maxBytes, maxEvents, deliveredMs, setAsideMs } = this.#options
    for (let row = this.#queue.oldest(); row; row = this.#queue.oldest()) {
      const isFull = this.#queue.bytes > maxBytes || this.#queue.size > maxEvents
      const keptMs = row.state === 'delivered' ? deliveredMs : setAsideMs
      if (!isFull && (row.settledAt ?? now) + keptMs >= now) return
      if (isFull) this.#queue.evict(row)
      else this.#queue.delete(row)
    }
  }
}

const nameOf = (destination: string, reference: string) => `${destination} ${reference}`
