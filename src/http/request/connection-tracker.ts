import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** A request that is being answered, or still arrives. */
export interface TrackedExchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** The open connections: to look through them now and then costs less than a timer for each request. */
export interface Connections {
  readonly open: ReadonlySet<Socket>
  /** The exchange on a connection; undefined while it waits for its first request or its next. */
  exchangeOn(socket: Socket): TrackedExchange | undefined
  /** To be called for every request. */
  use(exchange: TrackedExchange): void
  /** To be called for every response: what came in is not held until the next request, which may never come. */
  free(request: FastifyRequest): void
}

/** Kept with the socket, as that is what is asked for and changes with every request. */
const exchange = Symbol('exchange')

type Followed = Socket & { [exchange]?: TrackedExchange | undefined }

/** Follows all connections of a server. */
export function trackConnections(app: FastifyInstance): Connections {
  const open = new Set<Followed>()
  app.server.on('connection', (socket: Followed) => {
    socket[exchange] = undefined
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return {
    open,
    exchangeOn: (socket: Followed) => socket[exchange],
    use(begun) {
      const socket: Followed = begun.request.raw.socket
      socket[exchange] = begun
    },
    free({ raw }) {
      const socket: Followed = raw.socket
      // One that is answered before it has arrived is still to arrive.
      if (raw.complete && socket[exchange]?.request.raw === raw) socket[exchange] = undefined
    },
  }
}
