import { updatedResult } from '../../codec/apply-result-update.ts'
import { refuseOver } from '../../in-process/bounded-cache.ts'
import { bytesOfText, flatText } from '../../in-process/flat-text.ts'
import { bytesOfWay, type Way } from '../../in-process/shared-ways.ts'
import type { Result, ResultUpdate, ResultVisit } from '../../result-store.ts'
import type { Indexed } from './result-index.ts'
import { beginningOf, readLines, writeLine, writeLines } from './result-lines.ts'
import type { Ranked } from './result-order.ts'
import type { Used } from './use-order.ts'

/**
 * Bytes of a result besides the characters of its id and its text, as an object with places in four orders: up to 600 bytes,
 * measured on Node 20.20 with 36,000 results that have an age limit, an answer and an address each; 290 without these.
 */
const bytesPerResult = 620

/** Texts up to so many characters are joined by a copy, which takes less than the joint would. */
const mostCopied = 2048

/** Bytes that it takes to join two texts without a copy: the joint, and the header of the second. */
const bytesPerJoint = 48

/** Characters of changes that may always follow a result. */
const leastRoom = 4096

/** A result as text, its places among others, and what is accounted for it. */
export class KeptResult implements Ranked<KeptResult>, Indexed {
  readonly id: string
  readonly flowId: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly address: string
  number = 0
  isAnswered = false
  text = ''
  way: Way | undefined = undefined
  /** Milliseconds from when it was made: the time itself would take an object. */
  askedAfter = 0
  /** Accounted for all of it. */
  size = 0
  /** The same as of its last use. */
  bytes = 0
  /** Characters of changes that may still follow the result before it is written anew. */
  room = 0
  /** Milliseconds since 1970; kept where results expire. */
  changedAt = 0
  before: Used<KeptResult> | undefined = undefined
  after: Used<KeptResult> | undefined = undefined
  own: Used<KeptResult> | undefined = undefined
  changed: Used<KeptResult> | undefined = undefined

  constructor({ id, flowId, createdAt }: Result, address: string) {
    this.id = flatText(id)
    this.flowId = flowId
    this.createdAt = createdAt
    this.address = address
  }

  get item(): KeptResult {
    return this
  }

  get visit(): ResultVisit | undefined {
    return this.way && { ...this.way, askedAt: this.createdAt + this.askedAfter }
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
    this.askedAfter = askedAt - this.createdAt
  }
}

/** Accounted bytes of a result that is written as a text, without the way that it came. */
export const bytesOfResult = (id: string, text: string) =>
  bytesOfText(id) + bytesOfText(text) + bytesPerResult
