import type { FastifyInstance } from 'fastify'
import { respondToClientError, tooLate } from '../../response/client-error.ts'
import type { Connections, TrackedExchange } from '../connection-tracker.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Bodies of this route may take as long as they keep coming. */
    arrivesSlowly?: true
  }
}

export interface BodyTimeLimits {
  /** Milliseconds for a whole body. */
  readonly wholeMs: number
  /** A body that arrives slowly brings this many bytes in each span of so many milliseconds. */
  readonly paceMs: number
  readonly paceBytes: number
}

/**
 * A client that needs more than two minutes to send JSON is holding a connection, not using it. A large file may need much
 * longer where the network is slow; a kilobyte in four seconds is less than any network gives that is of use.
 */
const usualLimits: BodyTimeLimits = { wholeMs: 120_000, paceMs: 60_000, paceBytes: 16 * 1024 }

/** Number of checks of a body within the shorter of the two times. */
const looks = 60

/** Answers bodies that do not arrive in time with 408, and ends their connections. Node looks after heads itself. */
export function limitBodyTime(app: FastifyInstance, connections: Connections, limits = usualLimits): void {
  const everyMs = Math.min(limits.wholeMs, limits.paceMs) / looks
  /** The judges of the bodies that are not there yet; hardly any body takes long enough to get one. */
  const judges = new WeakMap<TrackedExchange, () => boolean>()
  const timer = setInterval(() => {
    for (const socket of connections.open) {
      const exchange = connections.exchangeOn(socket)
      if (!exchange || exchange.request.raw.complete) continue
      const isTooLate = judges.get(exchange) ?? judgeOf(exchange, everyMs, limits)
      judges.set(exchange, isTooLate)
      if (isTooLate()) giveUp(exchange)
    }
  }, everyMs)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

/** To be asked every so many milliseconds whether a body has taken too long. */
function judgeOf({ request }: TrackedExchange, everyMs: number, limits: BodyTimeLimits): () => boolean {
  let waitedMs = 0
  if (!request.routeOptions.config?.arrivesSlowly) {
    return () => {
      waitedMs += everyMs
      return waitedMs > limits.wholeMs
    }
  }
  const { socket } = request.raw
  let before = socket.bytesRead
  return () => {
    waitedMs += everyMs
    if (waitedMs <= limits.paceMs) return false
    const isTooSlow = socket.bytesRead - before < limits.paceBytes
    before = socket.bytesRead
    waitedMs = 0
    return isTooSlow
  }
}

function giveUp({ request: { raw }, reply }: TrackedExchange): void {
  if (reply.raw.headersSent) raw.socket.destroy()
  else respondToClientError(tooLate(), raw.socket)
}
