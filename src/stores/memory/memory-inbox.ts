import { fullInbox, type InboxBounds, type InboxStore, type OutgoingEvent } from '../outgoing/outbox-store.ts'
import { MemoryQueue } from './memory-queue.ts'
import { bytesOf, type QueuedRow } from './queued-row.ts'

interface MemoryInboxOptions extends InboxBounds {
  /** Beyond it the oldest go that were answered or set aside; what waits stays. */
  readonly maxBytes: number
  /** Milliseconds since 1970. */
  now(): number
}

/** Messages that came in to this process. */
export class MemoryInbox extends MemoryQueue implements InboxStore {
  readonly #options: MemoryInboxOptions

  constructor(options: MemoryInboxOptions) {
    super(options.now)
    this.#options = options
  }

  async put(messages: readonly OutgoingEvent[]): Promise<void> {
    let isFull = false
    for (const message of messages) {
      const name = nameOf(message)
      if (this.find(name)) continue
      if (this.#hasRoom(message)) this.#keep(message, name)
      else isFull = true
    }
    if (isFull) throw fullInbox()
  }

  #keep(message: OutgoingEvent, name: string): void {
    this.add(message, this.#options.now())
    this.name(this.latest() as QueuedRow, name)
  }

  /** Has the oldest go that were answered, where there is too little. */
  #hasRoom(message: OutgoingEvent): boolean {
    const { maxBytes, maxEvents, maxWaiting, maxOfLine, knownMs, now } = this.#options
    if (this.waiting >= maxWaiting || this.waitingWith(message) >= maxOfLine) return false
    const isFull = () => this.bytes + bytesOf(message) > maxBytes || this.size >= maxEvents
    const before = now() - knownMs
    for (const row of this.rows()) {
      const isOld = row.settledAt !== null && row.settledAt < before
      if (!isOld && !isFull()) break
      if (isOld) this.delete(row)
      else if (row.settledAt !== null) this.evict(row)
    }
    return !isFull()
  }
}

const nameOf = ({ destination, eventId }: OutgoingEvent) => `${destination} ${eventId}`
