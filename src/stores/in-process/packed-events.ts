import type { OutgoingEvent } from '../outgoing/outbox-store.ts'

/** An event, and when it was put, in milliseconds since 1970. */
interface PutEvent {
  readonly event: OutgoingEvent
  readonly createdAt: number
}

/** Characters of bodies that are written as one text: to write it takes a tenth of a millisecond. */
const packedCharacters = 32 * 1024

/**
 * Events that nobody has asked for yet, first in, first out; all but the first and the latest as JSON beside the heap. They outlive
 * the turns that put them: a collection of garbage would copy each of them twice, and the later ones look at it again.
 */
export class PackedEvents {
  /** The first of all, in reverse. */
  #first: PutEvent[] = []
  readonly #packed: Buffer[] = []
  #latest: PutEvent[] = []
  #latestCharacters = 0
  #size = 0

  get size(): number {
    return this.#size
  }

  /** When the first was put. */
  get firstAt(): number | undefined {
    return this.#peek()?.createdAt
  }

  push(event: OutgoingEvent, createdAt: number): void {
    this.#size += 1
    this.#latest.push({ event, createdAt })
    this.#latestCharacters += event.body.length
    if (this.#latestCharacters >= packedCharacters)
      this.#packed.push(Buffer.from(JSON.stringify(this.#takeLatest())))
  }

  /** Takes the first out. */
  shift(): PutEvent | undefined {
    const put = this.#peek()
    if (put) this.#size -= 1
    this.#first.pop()
    return put
  }

  #peek(): PutEvent | undefined {
    if (this.#first.length === 0) {
      const packed = this.#packed.shift()
      const first: PutEvent[] = packed ? JSON.parse(packed.toString()) : this.#takeLatest()
      this.#first = first.reverse()
    }
    return this.#first.at(-1)
  }

  #takeLatest(): PutEvent[] {
    const latest = this.#latest
    this.#latest = []
    this.#latestCharacters = 0
    return latest
  }
}
