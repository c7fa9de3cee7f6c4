import { bytesOfText, flatText } from '../../in-process/flat-text.ts'
import type { Way } from '../../in-process/shared-ways.ts'
import { TextPool } from '../../in-process/text-pool.ts'
import type { Result, ResultUpdate, ResultVisit } from '../../result-store.ts'
import type { Indexed } from '../result-index.ts'
import type { Ranked } from '../result-order.ts'
import type { Used } from '../use-order.ts'
import { readShortResult, writeShortChange, writeShortResult } from './short-results.ts'

/**
 * Bytes of a result besides the characters of its id and its text, as an object with places in four orders: up to 600 bytes,
 * measured on Node 20.20 with 36,000 results that have an age limit, an answer and an address each; 290 without these.
 */
const bytesPerResult = 620

/** Texts up to so many bytes are written anew with what follows them, which takes less than a text of its own would. */
const mostCopied = 2048

/** Bytes of a text of its own, besides its characters. */
const bytesPerJoint = 48

/** Characters of changes that may always follow a result. */
const leastRoom = 4096

/** A result by its text, with its places among others. */
export class KeptResult implements Ranked<KeptResult>, Indexed {
  readonly id: string
  readonly flowId: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly address: string
  number = 0
  isAnswered = false
  /** Of its text. */
  handle = -1
  /** Of the changes that follow its text, where that is long. */
  more: number[] | undefined = undefined
  way: Way | undefined = undefined
  /** When its visit asked, in milliseconds since it was created: a number that needs no object. Undefined for never. */
  askedAfter: number | undefined = undefined
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
  ownBefore: Used<KeptResult> | undefined = undefined
  ownAfter: Used<KeptResult> | undefined = undefined
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
    const askedAt = this.askedAfter === undefined ? 0 : this.createdAt + this.askedAfter
    return this.way && { ...this.way, askedAt }
  }
}

/** The texts of results. */
export class ResultTexts {
  readonly #pool = new TextPool()

  textFor(result: Result): string {
    return writeShortResult(result)
  }

  write(kept: KeptResult, text: string): void {
    this.#dropMore(kept)
    if (kept.handle < 0) kept.handle = this.#pool.add(text)
    else this.#pool.set(kept.handle, text)
    kept.room = Math.max(text.length, leastRoom)
  }

  /** Writes a change behind a result; the bytes that it takes, or undefined where the result is to be written anew. */
  append(kept: KeptResult, change: ResultUpdate, mostBytes: number): number | undefined {
    const line = writeShortChange(change)
    if (line.length > kept.room || 2 * (line.length + mostCopied) > mostBytes) return undefined
    kept.room -= line.length
    if (kept.more || kept.size + line.length > mostCopied + bytesPerResult) {
      kept.more = [...(kept.more ?? []), this.#pool.add(line)]
      return bytesOfText(line) + bytesPerJoint
    }
    const text = this.#pool.get(kept.handle)
    const joined = text + line
    this.#pool.set(kept.handle, joined)
    return bytesOfText(joined) - bytesOfText(text)
  }

  textOf({ handle, more = [] }: KeptResult): string {
    return this.#pool.get(handle) + more.map((each) => this.#pool.get(each)).join('')
  }

  read(kept: KeptResult, text = this.textOf(kept)): Result {
    return readShortResult(kept, text)
  }

  /** With its visit. */
  whole(kept: KeptResult, text?: string): Result {
    const { visit } = kept
    const result = this.read(kept, text)
    return visit ? { ...result, visit } : result
  }

  free(kept: KeptResult): void {
    this.#dropMore(kept)
    this.#pool.free(kept.handle)
  }

  #dropMore(kept: KeptResult): void {
    for (const each of kept.more ?? []) this.#pool.free(each)
    kept.more = undefined
  }
}

export function bytesFor(id: string, text: string): number {
  return bytesOfText(id) + bytesOfText(text) + bytesPerResult
}
