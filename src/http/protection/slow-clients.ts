import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { respondToClientError, tooLate } from '../response/client-error.ts'
import type { Connections, Exchange } from './connections.ts'

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
 * longer where the network is slow; a kilobyte in four seconds is less than any network gives that is of use. Node has
 * one bound for the requests of all routes, so that it can't be told apart there.
 */
const usualLimits: BodyTimeLimits = { wholeMs: 120_000, paceMs: 60_000, paceBytes: 16 * 1024 }

/** A body that is not there yet; hardly any takes long enough to be one. */
interface Arrival {
  waitedMs: number
  bytesRead: number
}

/** Answers bodies that do not arrive in time with 408, and ends their connections. Node looks after heads itself. */
export function limitBodyTime(app: FastifyInstance, connections: Connections, limits = usualLimits): void {
  const everyMs = Math.min(limits.wholeMs, limits.paceMs) / 60
  const arrivals = new WeakMap<Exchange, Arrival>()

  function isTooLate({ request }: Exchange, arrival: Arrival): boolean {
    arrival.waitedMs += everyMs
    if (!request.routeOptions.config?.arrivesSlowly) return arrival.waitedMs > limits.wholeMs
    if (arrival.waitedMs <= limits.paceMs) return false
    const { bytesRead } = request.raw.socket
    const isTooSlow = bytesRead - arrival.bytesRead < limits.paceBytes
    Object.assign(arrival, { waitedMs: 0, bytesRead })
    return isTooSlow
  }

  lookEvery(everyMs, app, connections, (socket) => {
    const exchange = connections.exchangeOn(socket)
    if (!exchange || exchange.request.raw.complete) return
    const arrival = arrivals.get(exchange) ?? { waitedMs: 0, bytesRead: socket.bytesRead }
    arrivals.set(exchange, arrival)
    if (isTooLate(exchange, arrival)) giveUp(exchange)
  })
}

function giveUp({ request: { raw }, reply }: Exchange): void {
  if (reply.raw.headersSent) raw.socket.destroy()
  else respondToClientError(tooLate(), raw.socket)
}

/** Number of checks within the time that a client has for reading. */
const looks = 10

/**
 * Ends connections whose clients read nothing of what they are sent for so many milliseconds. What counts as read is
 * each piece that is written (src/http/response/send-json.ts), so that a byte now and then does not keep a long answer.
 */
export function limitReading(app: FastifyInstance, connections: Connections, maxMs: number): void {
  const before = new WeakMap<Socket, { readonly read: number; readonly looks: number }>()
  lookEvery(maxMs / looks, app, connections, (socket) => {
    if (socket.writableLength === 0) return
    const read = socket.bytesWritten - socket.writableLength
    const last = before.get(socket)
    const progress = { read, looks: last?.read === read ? last.looks + 1 : 0 }
    before.set(socket, progress)
    if (progress.looks > looks) socket.destroy()
  })
}

/** Looks at every open connection at such intervals, until the server closes. */
function lookEvery(
  ms: number,
  app: FastifyInstance,
  { open }: Connections,
  look: (socket: Socket) => void,
): void {
  const timer = setInterval(() => {
    for (const socket of open) look(socket)
  }, ms)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
}
