import type { OutgoingEvent } from '../outgoing/outbox-store.ts'
import { bytesOfText } from './flat-text.ts'

/** Memory that events are written to, one behind another, and how far it is written and read. */
interface Page {
  readonly bytes: Buffer
  readonly words: Int32Array
  readonly times: Float64Array
  writtenTo: number
  readTo: number
}

/** An event, and when it was put, in milliseconds since 1970. */
interface PutEvent {
  readonly event: OutgoingEvent
  readonly createdAt: number
}

/** Small, as the queue of a process in which nothing waits keeps one. */
const pageBytes = 64 * 1024

const wordBytes = Int32Array.BYTES_PER_ELEMENT

/** Each event begins, and has its time, where a page may have one. */
const timeBytes = Float64Array.BYTES_PER_ELEMENT

/** Before the texts of an event: its bytes, those of a character, the lengths of the texts, and the time. */
const headerWords = 8
const headerBytes = headerWords * wordBytes + timeBytes

/** Place of the time of an event that begins there. */
const timeOf = (start: number) => (start + headerWords * wordBytes) / timeBytes

/** The length of a text that is not there. */
const absent = -1

/**
 * Events that nobody has asked for yet, first in, first out, as bytes beside the heap. They outlive the turns that put them: a
 * collection of garbage would copy each of them twice, and the later ones look at it again.
 */
export class PackedEvents {
  readonly #pages: Page[] = []
  /** One that was read, for what is written next. */
  #spare: Page | undefined
  #size = 0
  /** The last that was read: most go to the same place, and tell the same. */
  #before: Pick<OutgoingEvent, 'destination' | 'type'> = { destination: '', type: '' }

  get size(): number {
    return this.#size
  }

  /** When the first was put. */
  get firstAt(): number | undefined {
    const [page] = this.#pages
    return this.#size === 0 ? undefined : page?.times[timeOf(page.readTo)]
  }

  push({ destination, line, eventId, type, sessionId, body }: OutgoingEvent, createdAt: number): void {
    const text = destination + line + eventId + type + (sessionId ?? '') + body
    const textBytes = bytesOfText(text)
    const width = textBytes === text.length ? 1 : 2
    const bytes = headerBytes + Math.ceil(textBytes / timeBytes) * timeBytes
    const page = this.#pageFor(bytes)
    const { words, writtenTo } = page
    const at = writtenTo / wordBytes
    words[at] = bytes
    words[at + 1] = width
    words[at + 2] = destination.length
    words[at + 3] = line.length
    words[at + 4] = eventId.length
    words[at + 5] = type.length
    words[at + 6] = sessionId === undefined ? absent : sessionId.length
    words[at + 7] = body.length
    page.times[timeOf(writtenTo)] = createdAt
    page.bytes.write(text, writtenTo + headerBytes, encodingOf(width))
    page.writtenTo += bytes
    this.#size += 1
  }

  /** Takes the first out. */
  shift(): PutEvent | undefined {
    const [page] = this.#pages
    if (!page || this.#size === 0) return undefined
    const { bytes, words, times, readTo } = page
    const at = readTo / wordBytes
    const width = words[at + 1] as number
    let from = readTo + headerBytes
    const read = (index: number) => {
      const start = from
      from += (words[at + index] as number) * width
      return bytes.toString(encodingOf(width), start, from)
    }
    const event = {
      destination: sameOr(this.#before.destination, read(2)),
      line: read(3),
      eventId: read(4),
      type: sameOr(this.#before.type, read(5)),
      sessionId: words[at + 6] === absent ? undefined : read(6),
      body: read(7),
    }
    this.#before = { destination: event.destination, type: event.type }
    const createdAt = times[timeOf(readTo)] as number
    this.#leave(page)
    return { event, createdAt }
  }

  /** Takes the first out, which is not read for it; the length of its body. */
  drop(): number | undefined {
    const [page] = this.#pages
    if (!page || this.#size === 0) return undefined
    const length = page.words[page.readTo / wordBytes + headerWords - 1]
    this.#leave(page)
    return length
  }

  /** The last page, where there is room for so many bytes, or another. */
  #pageFor(bytes: number): Page {
    const last = this.#pages.at(-1)
    if (last && last.writtenTo + bytes <= last.bytes.length) return last
    const spare = bytes <= pageBytes ? this.#spare : undefined
    if (spare) this.#spare = undefined
    const page = spare ?? newPage(Math.max(pageBytes, bytes))
    this.#pages.push(page)
    return page
  }

  #leave(page: Page): void {
    page.readTo += page.words[page.readTo / wordBytes] as number
    this.#size -= 1
    if (page.readTo < page.writtenTo) return
    this.#pages.shift()
    page.readTo = 0
    page.writtenTo = 0
    // One that was made for a large event is of no use for others.
    if (page.bytes.length === pageBytes) this.#spare = page
  }
}

/** One text for those that are equal. */
const sameOr = (before: string, text: string) => (before === text ? before : text)

const encodingOf = (width: number) => (width === 1 ? 'latin1' : 'utf16le')

function newPage(bytes: number): Page {
  const memory = new ArrayBuffer(bytes)
  const views = {
    bytes: Buffer.from(memory),
    words: new Int32Array(memory),
    times: new Float64Array(memory),
  }
  return { ...views, writtenTo: 0, readTo: 0 }
}
