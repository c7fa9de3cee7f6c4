import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../errors.ts'
import { type BodyRoom, type HeldBody, shortBody } from './body-budget.ts'

/** How bodies are read. */
export interface BodyLimits {
  /** Bytes of one body. */
  readonly bodyLimit: number
  readonly room: BodyRoom
}

/** What becomes of a body; exactly one of the two is called, once. */
interface Outcome {
  /** `held` is the memory that it takes; undefined for one that takes none beyond this call. */
  complete(bytes: Buffer, held: HeldBody | undefined): void
  fail(error: ServiceError): void
}

interface Incoming {
  readonly request: FastifyRequest
  readonly payload: IncomingMessage
}

/**
 * Reads a body into one piece of memory, which grows with what has arrived and is counted as it grows: neither does
 * what a head announces take room, nor do many small pieces take more of it than few large ones. Most bodies are short
 * and come in one piece, and nothing is counted for them.
 */
export function readBody({ request, payload }: Incoming, limits: BodyLimits, outcome: Outcome): void {
  const announced = Number(request.headers['content-length'])
  if (announced > limits.bodyLimit) {
    outcome.fail(tooLarge(limits.bodyLimit))
    return
  }
  let whole: Buffer | undefined
  let arrival: Arrival | undefined

  function onData(piece: Buffer): void {
    if (!arrival && !whole && piece.length === announced && announced <= shortBody) {
      whole = piece
      return
    }
    arrival ??= new Arrival(request, { ...limits, announced, fail })
    if (whole) arrival.add(whole)
    whole = undefined
    arrival.add(piece)
  }

  function onEnd(): void {
    stop()
    // The piece may lie in memory that the connection uses again.
    if (whole) outcome.complete(Buffer.concat([whole], announced), undefined)
    else if (arrival) arrival.complete(outcome)
    else if (announced > 0) outcome.fail(otherLength())
    else outcome.complete(nothing, undefined)
  }

  function onError(cause: Error): void {
    arrival?.giveBack()
    fail(new ServiceError('BAD_REQUEST', 'The request could not be read', { cause }))
  }

  function fail(error: ServiceError): void {
    stop()
    // The rest is read and dropped, as long as the answer takes.
    payload.on('error', () => undefined).resume()
    outcome.fail(error)
  }

  function stop(): void {
    payload.removeListener('data', onData)
    payload.removeListener('end', onEnd)
    payload.removeListener('error', onError)
  }

  payload.on('data', onData)
  payload.on('end', onEnd)
  payload.on('error', onError)
}

interface ArrivalOptions extends BodyLimits {
  /** Bytes that the head announces; NaN when it does not. */
  readonly announced: number
  /** Ends the reading. */
  fail(error: ServiceError): void
}

/** A body that comes in pieces. */
class Arrival {
  readonly #options: ArrivalOptions
  readonly #body: HeldBody
  #memory: Buffer = nothing
  #length = 0

  constructor(request: FastifyRequest, options: ArrivalOptions) {
    this.#options = options
    this.#body = { request, bytes: 0, arrivedMs: 0, giveUp: () => this.#fail(noRoom()) }
  }

  add(piece: Buffer): void {
    const length = this.#length + piece.length
    if (length > this.#options.bodyLimit) this.#fail(tooLarge(this.#options.bodyLimit))
    else if (length > this.#memory.length && !this.#grow(length)) this.#fail(noRoom())
    else {
      this.#memory.set(piece, this.#length)
      this.#length = length
    }
  }

  /** At least doubles, so that a body which comes in pieces is copied seldom. */
  #grow(length: number): boolean {
    const { announced, bodyLimit, room } = this.#options
    const most = Number.isNaN(announced) ? bodyLimit : announced
    const size = Math.max(length, Math.min(most, Math.max(shortBody, this.#memory.length * 2)))
    if (!room.take(this.#body, size)) return false
    const grown = Buffer.allocUnsafe(size)
    grown.set(this.#memory)
    this.#memory = grown
    return true
  }

  complete(outcome: Outcome): void {
    const { announced, room } = this.#options
    if (!Number.isNaN(announced) && announced !== this.#length) {
      this.giveBack()
      outcome.fail(otherLength())
      return
    }
    room.settle(this.#body)
    outcome.complete(this.#memory.subarray(0, this.#length), this.#body)
  }

  giveBack(): void {
    this.#memory = nothing
    this.#options.room.giveBack(this.#body)
  }

  #fail(error: ServiceError): void {
    this.giveBack()
    this.#options.fail(error)
  }
}

const nothing = Buffer.alloc(0)

function tooLarge(bodyLimit: number): ServiceError {
  return new ServiceError('PAYLOAD_TOO_LARGE', `The request body is larger than ${bodyLimit} bytes`)
}

function noRoom(): ServiceError {
  return new ServiceError('SERVICE_UNAVAILABLE', 'Too many large requests are being answered')
}

function otherLength(): ServiceError {
  return new ServiceError('BAD_REQUEST', 'The request body has not the length its header tells')
}
