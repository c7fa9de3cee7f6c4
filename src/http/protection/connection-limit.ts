import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../../lib/errors.ts'
import type { StoreUsage } from '../../ports/known-types.ts'
import type { Connections } from '../request/connection-tracker.ts'

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

/** The bound of the connections, for the hooks of the server. */
interface ConnectionLimit {
  /** To be called for every request: why it is refused on its connection. */
  refusalOf(request: FastifyRequest): ServiceError | undefined
  usage(): StoreUsage
}

/**
 * Bounds the connections that are open at once. Beyond it a new one takes the place of the one that is idle for longest,
 * whether it waits for its first request or its next; where none is, probes alone are answered on it. Those of clients
 * that only hold connections thus go before those of clients that use them.
 */
export function limitConnections(
  app: FastifyInstance,
  { open, exchangeOn }: Connections,
  max: number,
): ConnectionLimit {
  app.server.maxConnections = max + spareConnections
  const spare = new WeakSet<Socket>()
  let evicted = 0

  function oldestIdle(): Socket | undefined {
    for (const socket of open) if (!socket.destroyed && !exchangeOn(socket)) return socket
    return undefined
  }

  app.server.on('connection', (socket: Socket) => {
    if (open.size <= max) return
    const idle = oldestIdle()
    // The newest is the last of them.
    if (idle === undefined || idle === socket) spare.add(socket)
    else {
      evicted += 1
      idle.destroy()
    }
  })
  app.server.on('drop', () => {
    evicted += 1
  })
  return {
    refusalOf({ raw, routeOptions }) {
      if (!spare.has(raw.socket) || routeOptions.config?.isProbe) return undefined
      return new ServiceError('SERVICE_UNAVAILABLE', 'Too many connections are open')
    },
    usage: () => ({ entries: open.size, bytes: open.size * connectionBytes, evicted }),
  }
}
