import { fullInbox, type InboxBounds, type InboxStore, type OutgoingEvent } from '../outgoing/outbox-store.ts'
import { MemoryQueue } from './memory-queue.ts'
import { bytesOf } from './queued-row.ts'

interface MemoryInboxOptions extends InboxBounds {
  /** Beyond it the oldest go that were answered or set aside; what waits stays. */
  readonly maxBytes: number
  /** Milliseconds since 1970. */
  now(): number
}

/** Messages that came in to this process. */
export class MemoryInbox implements InboxStore {
  readonly #options: MemoryInboxOptions
  readonly #queue: MemoryQueue

  constructor(options: MemoryInboxOptions) {
    this.#options = options
    this.#queue = new MemoryQueue(options.now)
  }

  async put(messages: readonly OutgoingEvent[]): Promise<void> {
    let isFull = false
    for (const message of messages) {
      const name = nameOf(message)
      if (this.#queue.find(name)) continue
      if (this.#hasRoom(message)) this.#queue.name(this.#queue.add(message), name)
      else isFull = true
    }
    if (isFull) throw fullInbox()
  }

  readonly claim: InboxStore['claim'] = (...claim) => this.#queue.claim(...claim)

  readonly settle: InboxStore['settle'] = (...settle) => this.#queue.settle(...settle)

  readonly list: InboxStore['list'] = (...list) => this.#queue.list(...list)

  readonly retry: InboxStore['retry'] = (...retry) => this.#queue.retry(...retry)

  readonly countWaiting = () => this.#queue.countWaiting()

  erase(lines: ReadonlySet<string>): void {
    this.#queue.drop(({ line }) => lines.has(line))
  }

  drop(destination: string): void {
    this.#queue.drop((row) => row.destination === destination)
  }

  readonly usage = () => this.#queue.usage()

  /** Has the oldest go that were answered, where there is too little. */
  #hasRoom(message: OutgoingEvent): boolean {
    const { maxBytes, maxEvents, maxWaiting, maxOfLine, knownMs, now } = this.#options
    const queue = this.#queue
    if (queue.waiting >= maxWaiting || queue.waitingWith(message) >= maxOfLine) return false
    const isFull = () => queue.bytes + bytesOf(message) > maxBytes || queue.size >= maxEvents
    const before = now() - knownMs
    for (const row of queue.rows()) {
      const isOld = row.settledAt !== null && row.settledAt < before
      if (!isOld && !isFull()) break
      if (isOld) queue.delete(row)
      else if (row.settledAt !== null) queue.evict(row)
    }
    return !isFull()
  }
}

const nameOf = ({ destination, eventId }: OutgoingEvent) => `${destination} ${eventId}`
