import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerBrokenConnection, tooLate } from './broken-request.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Bodies of this route may take as long as they keep coming. */
    arrivesSlowly?: true
  }
}

export interface ArrivalLimits {
  /** Milliseconds for a whole body. */
  readonly wholeMs: number
  /** A body that arrives slowly brings this many bytes in each span of so many milliseconds. */
  readonly paceMs: number
  readonly paceBytes: number
}

/**
 * Whoever needs more than two minutes to send JSON is holding a connection, not using it. A large file may need much
 * longer where the network is slow; a kilobyte in four seconds is less than any network gives that is of use.
 */
const usualLimits: ArrivalLimits = { wholeMs: 120_000, paceMs: 60_000, paceBytes: 16 * 1024 }

/** Answers bodies that do not arrive in time with 408, and ends their connections. Node looks after heads itself. */
export function limitArrival(app: FastifyInstance, limits = usualLimits): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (hasBody(request)) {
      const timer = request.routeOptions.config?.arrivesSlowly
        ? watchPace(request, reply, limits)
        : setTimeout(() => giveUp(request, reply), limits.wholeMs)
      timer.unref()
      request.raw.once('close', () => clearTimeout(timer))
    }
    done()
  })
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
}

function watchPace(request: FastifyRequest, reply: FastifyReply, { paceMs, paceBytes }: ArrivalLimits) {
  const { socket } = request.raw
  let before = socket.bytesRead
  return setInterval(() => {
    const isTooSlow = socket.bytesRead - before < paceBytes
    before = socket.bytesRead
    if (isTooSlow) giveUp(request, reply)
  }, paceMs)
}

function giveUp({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete) return
  if (reply.raw.headersSent) raw.socket.destroy()
  else answerBrokenConnection(tooLate(), raw.socket)
}
