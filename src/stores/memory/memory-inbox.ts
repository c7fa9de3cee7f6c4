import { fullInbox, type InboxBounds, type InboxStore, type OutgoingEvent } from '../outgoing/outbox-store.ts'
import { bytesOf, MemoryQueue } from './memory-queue.ts'

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
    const named = new Map(messages.map((message) => [nameOf(message), message]))
    const fresh = [...named].filter(([name]) => !this.#queue.find(name))
    if (fresh.length === 0) return
    this.#makeRoom(fresh.map(([, message]) => message))
    for (const [name, message] of fresh) this.#queue.name(this.#queue.add(message), name)
  }

  readonly claim: InboxStore['claim'] = (...claim) => this.#queue.claim(...claim)

  readonly settle: InboxStore['settle'] = (...settle) => this.#queue.settle(...settle)

  readonly list: InboxStore['list'] = (...list) => this.#queue.list(...list)

  readonly retry: InboxStore['retry'] = (...retry) => this.#queue.retry(...retry)

  erase(lines: ReadonlySet<string>): void {
    this.#queue.drop(({ line }) => lines.has(line))
  }

  drop(destination: string): void {
    this.#queue.drop((row) => row.destination === destination)
  }

  readonly usage = () => this.#queue.usage()

  /** Throws where what waits leaves too little room. */
  #makeRoom(messages: readonly OutgoingEvent[]): void {
    const { maxBytes, maxEvents, maxWaiting, knownMs, now } = this.#options
    const bytes = messages.reduce((sum, message) => sum + bytesOf(message), 0)
    const isFull = () =>
      this.#queue.bytes + bytes > maxBytes || this.#queue.size + messages.length > maxEvents
    const before = now() - knownMs
    for (const row of this.#queue.rows()) {
      const isOld = row.settledAt !== null && row.settledAt < before
      if (!isOld && !isFull()) break
      if (isOld) this.#queue.delete(row)
      else if (row.settledAt !== null) this.#queue.evict(row)
    }
    if (isFull() || this.#queue.waiting >= maxWaiting) throw fullInbox()
  }
}

const nameOf = ({ destination, eventId }: OutgoingEvent) => `${destination} ${eventId}`
