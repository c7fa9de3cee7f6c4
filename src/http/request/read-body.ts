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
  complete(bytes: Buffer, body: HeldBody): void
  fail(error: ServiceError): void
}

/**
 * Reads a body into one piece of memory, which grows with what has arrived and is counted as it grows: neither does
 * what a head announces take room, nor do many small pieces take more of it than few large ones.
 */
export function readBody(
  { request, payload }: { readonly request: FastifyRequest; readonly payload: IncomingMessage },
  limits: BodyLimits,
  outcome: Outcome,
): void {
  const announced = Number(request.headers['content-length'])
  if (announced > limits.bodyLimit) outcome.fail(tooLarge(limits.bodyLimit))
  else new Arrival({ request, payload }, { ...limits, announced }, outcome)
}

class Arrival {
  readonly #payload: IncomingMessage
  readonly #limits: BodyLimits & { readonly announced: number }
  readonly #outcome: Outcome
  readonly #body: HeldBody
  #memory: Buffer = nothing
  #length = 0

  constructor(
    { request, payload }: { readonly request: FastifyRequest; readonly payload: IncomingMessage },
    limits: BodyLimits & { readonly announced: number },
    outcome: Outcome,
  ) {
    this.#payload = payload
    this.#limits = limits
    this.#outcome = outcome
    this.#body = { request, bytes: 0, arrivedMs: 0, giveUp: () => this.#fail(noRoom()) }
    payload.on('data', this.#add).on('end', this.#complete).on('error', this.#break)
  }

  readonly #add = (piece: Buffer): void => {
    const length = this.#length + piece.length
    if (length > this.#limits.bodyLimit) this.#fail(tooLarge(this.#limits.bodyLimit))
    else if (length > this.#memory.length && !this.#grow(length)) this.#fail(noRoom())
    else {
      this.#memory.set(piece, this.#length)
      this.#length = length
    }
  }

  /** At least doubles, so that a body which comes in pieces is copied seldom. */
  #grow(length: number): boolean {
    const { announced, bodyLimit, room } = this.#limits
    const most = Number.isNaN(announced) ? bodyLimit : announced
    const size = Math.max(length, Math.min(most, Math.max(shortBody, this.#memory.length * 2)))
    if (!room.take(this.#body, size)) return false
    const grown = Buffer.allocUnsafe(size)
    grown.set(this.#memory)
    this.#memory = grown
    return true
  }

  readonly #complete = (): void => {
    this.#stop()
    const { announced, room } = this.#limits
    if (!Number.isNaN(announced) && announced !== this.#length) {
      room.giveBack(this.#body)
      this.#outcome.fail(
        new ServiceError('BAD_REQUEST', 'The length of the request body differs from its content-length'),
      )
      return
    }
    room.settle(this.#body)
    this.#outcome.complete(this.#memory.subarray(0, this.#length), this.#body)
  }

  readonly #break = (cause: Error): void => {
    this.#fail(new ServiceError('BAD_REQUEST', 'The request could not be read', { cause }))
  }

  #fail(error: ServiceError): void {
    this.#stop()
    // The rest is read and dropped, as long as the answer takes.
    this.#payload.on('error', () => undefined).resume()
    this.#memory = nothing
    this.#limits.room.giveBack(this.#body)
    this.#outcome.fail(error)
  }

  #stop(): void {
    this.#payload.off('data', this.#add).off('end', this.#complete).off('error', this.#break)
  }
}

const nothing = Buffer.alloc(0)

function tooLarge(bodyLimit: number): ServiceError {
  return new ServiceError('PAYLOAD_TOO_LARGE', `The request body is larger than ${bodyLimit} bytes`)
}

function noRoom(): ServiceError {
  return new ServiceError('SERVICE_UNAVAILABLE', 'Too many large requests are being answered')
}
