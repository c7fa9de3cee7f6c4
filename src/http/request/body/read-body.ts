import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../../lib/errors.ts'
import { type BodyRoom, type HeldBody, shortBody } from './body-budget.ts'

/** Bounds of a body in bytes and time. */
export interface BodyLimits {
  /** Bytes of one body. */
  readonly bodyLimit: number
  readonly room: BodyRoom
}

/** Receiver of a body; exactly one of the two is called, once. */
interface BodyReceiver {
  /** `held` is the memory that it takes; undefined for one that takes none beyond this call. */
  complete(bytes: Buffer, held: HeldBody | undefined): void
  fail(error: ServiceError): void
}

interface IncomingBody {
  readonly request: FastifyRequest
  readonly payload: IncomingMessage
}

/**
 * Reads a body, whose memory is counted as it arrives: neither does what a head announces take room, nor do many small
 * pieces take more of it than few large ones. Most bodies are short and come in one piece, and nothing is counted for
 * them.
 */
export function readBody(
  { request, payload }: IncomingBody,
  limits: BodyLimits,
  receiver: BodyReceiver,
): void {
  const announced = Number(request.headers['content-length'])
  if (announced > limits.bodyLimit) {
    receiver.fail(tooLarge(limits.bodyLimit))
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
    if (whole) receiver.complete(Buffer.concat([whole], announced), undefined)
    else if (arrival) arrival.complete(receiver)
    else if (announced > 0) receiver.fail(otherLength())
    else receiver.complete(nothing, undefined)
  }

  function onError(cause: Error): void {
    arrival?.giveBack()
    fail(new ServiceError('BAD_REQUEST', 'The request could not be read', { cause }))
  }

  function fail(error: ServiceError): void {
    stop()
    // The rest is read and dropped, as long as the answer takes.
    payload.on('error', () => undefined).resume()
    receiver.fail(error)
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

/**
 * A body that comes in pieces. Long pieces are kept as they come until the last has: memory that grew with the body
 * would touch three fresh bytes for each of its own. Short ones are copied into blocks.
 */
class Arrival {
  readonly #options: ArrivalOptions
  readonly #body: HeldBody
  #pieces: Buffer[] = []
  #block = nothing
  /** Bytes of the block that are taken. */
  #filled = 0
  #length = 0
  /** Bytes of the memory of all pieces and the block. */
  #held = 0

  constructor(request: FastifyRequest, options: ArrivalOptions) {
    this.#options = options
    this.#body = { request, bytes: 0, arrivedMs: 0, giveUp: () => this.#fail(noRoom()) }
  }

  add(piece: Buffer): void {
    this.#length += piece.length
    if (this.#length > this.#options.bodyLimit) this.#fail(tooLarge(this.#options.bodyLimit))
    else if (!this.#keep(piece)) this.#fail(noRoom())
  }

  #keep(piece: Buffer): boolean {
    const fits = this.#filled + piece.length <= this.#block.length
    const isShort = piece.length < shortBody
    if (!fits) this.#held += isShort ? shortBody : piece.length
    if (!this.#options.room.take(this.#body, this.#held)) return false
    if (!fits) this.#closeBlock()
    if (!fits && isShort) this.#block = Buffer.allocUnsafeSlow(shortBody)
    if (fits || isShort) this.#filled += piece.copy(this.#block, this.#filled)
    else this.#pieces.push(piece)
    return true
  }

  #closeBlock(): void {
    if (this.#filled > 0) this.#pieces.push(this.#block.subarray(0, this.#filled))
    this.#block = nothing
    this.#filled = 0
  }

  complete(receiver: BodyReceiver): void {
    const { announced, room } = this.#options
    if (!Number.isNaN(announced) && announced !== this.#length) {
      this.giveBack()
      receiver.fail(otherLength())
      return
    }
    this.#closeBlock()
    room.settle(this.#body)
    receiver.complete(Buffer.concat(this.#pieces, this.#length), this.#body)
  }

  giveBack(): void {
    this.#pieces = []
    this.#block = nothing
    this.#filled = 0
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
  return new ServiceError(
    'SERVICE_UNAVAILABLE',
    'Overloaded: too many large requests are being answered; try again later',
  )
}

function otherLength(): ServiceError {
  return new ServiceError('BAD_REQUEST', 'The request body is longer or shorter than its Content-Length says')
}
