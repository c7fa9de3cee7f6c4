import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../lib/errors.ts'
import type { StoreUsage } from '../../ports/known-types.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Asked by what watches over the process: it is answered while all connections are in use. */
    isProbe?: true
  }
}

/** Bytes of a connection at most: its head, and a body that is short enough to be let in at any time. */
export const connectionBytes = 32 * 1024

/** Connections beyond the bound, on which nothing but probes is answered. */
export const spareConnections = 16

/** A request that is being answered, or still arrives. */
export interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Kept with the socket, as that is what is asked for and changes with every request. */
const exchange = Symbol('exchange')

type TrackedSocket = Socket & { [exchange]?: Exchange | undefined }

/**
 * The open connections, within a bound. Beyond it a new one takes the place of the one that is idle for longest, whether
 * it waits for its first request or its next; where none is, probes alone are answered on it. Those of clients that only
 * hold connections thus go before those of clients that use them, where Node's own bound refuses the newest.
 */
export class Connections {
  /** Oldest first. To look through them now and then costs less than a timer for each request. */
  readonly open = new Set<TrackedSocket>()
  readonly #spare = new WeakSet<Socket>()
  #evicted = 0

  constructor(app: FastifyInstance, max: number) {
    app.server.maxConnections = max + spareConnections
    app.server.on('connection', (socket: TrackedSocket) => {
      socket[exchange] = undefined
      this.open.add(socket)
      socket.once('close', () => this.open.delete(socket))
      if (this.open.size > max) this.#makeRoomFor(socket)
    })
    app.server.on('drop', () => {
      this.#evicted += 1
    })
  }

  #makeRoomFor(newest: Socket): void {
    for (const socket of this.open) {
      if (socket.destroyed || socket[exchange]) continue
      if (socket === newest) break
      this.#evicted += 1
      socket.destroy()
      return
    }
    this.#spare.add(newest)
  }

  /** The exchange on a connection; undefined while it waits for its first request or its next. */
  exchangeOn(socket: TrackedSocket): Exchange | undefined {
    return socket[exchange]
  }

  /** To be called for every request. Returns why it is refused on its connection. */
  begin(begun: Exchange): ServiceError | undefined {
    const { request } = begun
    const socket: TrackedSocket = request.raw.socket
    socket[exchange] = begun
    if (!this.#spare.has(socket) || request.routeOptions.config?.isProbe) return undefined
    return new ServiceError('SERVICE_UNAVAILABLE', 'Too many connections are open')
  }

  /** To be called for every response: what came in is not held until the next request, which may never come. */
  end({ raw }: FastifyRequest): void {
    const socket: TrackedSocket = raw.socket
    // One that is answered before it has arrived is still to arrive.
    if (raw.complete && socket[exchange]?.request.raw === raw) socket[exchange] = undefined
  }

  readonly usage = (): StoreUsage => ({
    entries: this.open.size,
    bytes: this.open.size * connectionBytes,
    evicted: this.#evicted,
  })
}
