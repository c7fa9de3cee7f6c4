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

/** Events that turns of this process have put out. */
export class MemoryOutbox extends MemoryQueue implements OutboxStore {
  readonly #options: MemoryOutboxOptions

  constructor(options: MemoryOutboxOptions) {
    super(options.now)
    this.#options = options
  }

  put(events: readonly OutgoingEvent[]): void {
    const now = this.#options.now()
    for (const event of events) this.add(event, now)
    this.#makeRoom(now)
  }

  override async settle(...[claimed, outcome]: Parameters<OutboxStore['settle']>): Promise<void> {
    const row = this.get(claimed.number)
    await super.settle(claimed, outcome)
    if (row?.state === 'delivered' && outcome.state === 'delivered' && outcome.reference !== undefined)
      this.name(row, nameOf(row.destination, outcome.reference))
  }

  async track(changes: readonly StatusChange[]): Promise<void> {
    for (const change of changes) this.#track(change)
  }

  #track({ destination, reference, status, error, pauseMs }: StatusChange): void {
    const row = this.#findByReference(destination, reference)
    const rank = statusOrder.indexOf(status)
    if (!row || (row.status !== null && statusOrder.indexOf(row.status) >= rank)) return
    row.status = status
    if (status !== 'failed') {
      this.end(row, 'delivered')
      if (status !== 'sent') this.empty(row)
    } else if (pauseMs !== undefined && row.body !== '') this.wait(row, { pauseMs, error })
    else this.end(row, 'set aside', error)
  }

  #findByReference(destination: string, reference: string): QueuedRow | undefined {
    const name = readReference(reference)
    if (!name) return this.find(nameOf(destination, reference))
    const row = this.get(name.number)
    return row?.eventId === name.eventId && row.destination === destination ? row : undefined
  }

  #makeRoom(now: number): void {
    const { deliveredMs, setAsideMs } = this.#options
    for (let row = this.oldest(); row; row = this.oldest()) {
      const keptMs = row.state === 'delivered' ? deliveredMs : setAsideMs
      if (this.#isFull) this.evict(row)
      else if ((row.settledAt ?? now) + keptMs < now) this.delete(row)
      else return
    }
    while (this.#isFull && this.evictUnread());
  }

  get #isFull(): boolean {
    const { maxBytes, maxEvents } = this.#options
    return this.bytes > maxBytes || this.size > maxEvents
  }
}

const nameOf = (destination: string, reference: string) => `${destination} ${reference}`
