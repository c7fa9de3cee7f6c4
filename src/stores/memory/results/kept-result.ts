import { updatedResult } from '../../codec/apply-result-update.ts'
import { refuseOver } from '../../in-process/bounded-cache.ts'
import { bytesOfText, flatText } from '../../in-process/flat-text.ts'
import { bytesOfWay, type Way } from '../../in-process/shared-ways.ts'
import type { Result, ResultUpdate, ResultVisit } from '../../result-store.ts'
import type { Indexed } from './result-index.ts'
import { beginningOf, readLines, writeLine, writeLines } from './result-lines.ts'
import type { Ranked } from './result-order.ts'

/**
 * Bytes of a result besides the characters of its id and its text, as an object with places in four orders: 570 to 640,
 * measured on Node 20.20 with 13,000 to 127,000 answered results of an address each that had others make room, as maps and lists have
 * holes of those then; 390 before any went, 255 without an age limit, an answer and an address.
 */
const bytesPerResult = 620

/** Texts up to so many characters are joined by a copy, which takes less than the joint would. */
const mostCopied = 2048

/** Bytes that it takes to join two texts without a copy: the joint, and the header of the second. */
const bytesPerJoint = 48

/** Characters of changes that may always follow a result. */
const leastRoom = 4096

const processStart = Math.trunc(performance.timeOrigin)

/** The same number, as one of 32 bits where that holds it: the outcome of reckoning with large ones is an object else. */
const smallest = (value: number) => ((value | 0) === value ? value | 0 : value)

/** A result as text, its places among others, and what is accounted for it. */
export class KeptResult implements Ranked<KeptResult>, Indexed {
  readonly id: string
  readonly flowId: string
  readonly address: string
  number = 0
  isAnswered = false
  text = ''
  way: Way | undefined = undefined
  /** Milliseconds from when the process began, and from when it was made: the times themselves would take an object each. */
  readonly #createdAfter: number
  #askedAfter = 0
  /** Accounted for all of it. */
  size = 0
  /** The same as of its last use. */
  bytes = 0
  /** Characters of changes that may still follow the result before it is written anew. */
  room = 0
  /** As it was made; kept where results expire. */
  #changedAfter = 0
  before: KeptResult | undefined = undefined
  after: KeptResult | undefined = undefined
  ownBefore: KeptResult | undefined = undefined
  ownAfter: KeptResult | undefined = undefined
  changedBefore: KeptResult | undefined = undefined
  changedAfter: KeptResult | undefined = undefined

  constructor({ id, flowId, createdAt }: Result, address: string) {
    this.id = flatText(id)
    this.flowId = flowId
    this.#createdAfter = smallest(createdAt - processStart)
    this.address = address
  }

  /** Milliseconds since 1970. */
  get createdAt(): number {
    return processStart + this.#createdAfter
  }

  get changedAt(): number {
    return processStart + this.#changedAfter
  }

  set changedAt(time: number) {
    this.#changedAfter = smallest(time - processStart)
  }

  get visit(): ResultVisit | undefined {
    return this.way && { ...this.way, askedAt: this.createdAt + this.#askedAfter }
  }

  read(): Result {
    return readLines(this.text, this)
  }

  /** Writes it anew. Throws PAYLOAD_TOO_LARGE, with nothing changed, where that alone exceeds so many bytes. */
  write(result: Result, maxBytes: number): void {
    const text = writeLines(result)
    const bytes = bytesOfResult(this.id, text) + bytesOfWay(this.way)
    refuseOver(maxBytes, bytes)
    this.size = bytes
    this.text = flatText(text)
    this.room = Math.max(text.length, leastRoom)
  }

  /** Writes what changed behind what there is; everything anew only when that has doubled since the last time. Throws as `write`. */
  append(change: ResultUpdate, maxBytes: number): void {
    const isShort = this.text.length <= mostCopied
    const { lastChatSessionId: session } = change
    const isNamed = isShort && session !== undefined && this.text.startsWith(beginningOf(session))
    const line = writeLine(isNamed ? { ...change, lastChatSessionId: undefined } : change, this.createdAt)
    const isCopied = this.text.length + line.length <= mostCopied
    const text = this.text + (isCopied ? line : flatText(line))
    const added = isCopied ? bytesOfText(text) - bytesOfText(this.text) : bytesOfText(line) + bytesPerJoint
    this.room -= line.length
    // A short text begins with the session that it names last.
    const isOther = isShort && session !== undefined && !isNamed
    if (isOther || this.room < 0 || this.size + added > maxBytes) {
      this.write(updatedResult(this.read(), change), maxBytes)
      return
    }
    this.text = isCopied ? flatText(text) : text
    this.size += added
  }

  /** Notes how far its conversation has come. */
  come(way: Way, askedAt: number): void {
    this.size += bytesOfWay(way) - bytesOfWay(this.way)
    this.way = way
    this.#askedAfter = smallest(askedAt - this.createdAt)
  }
}

/** Accounted bytes of a result that is written as a text, without the way that it came. */
export const bytesOfResult = (id: string, text: string) =>
  bytesOfText(id) + bytesOfText(text) + bytesPerResult
