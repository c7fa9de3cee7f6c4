import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** What came in on a connection last. Whatever came before it has arrived whole. */
export interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** The open connections: to look through them now and then costs less than a timer for each request. */
export interface Connections {
  /** What came in on each; undefined for one that has not been used yet. */
  readonly open: ReadonlyMap<Socket, Exchange | undefined>
  /** To be told of every request. */
  use(exchange: Exchange): void
}

/** Follows all connections of a server. */
export function followConnections(app: FastifyInstance): Connections {
  const open = new Map<Socket, Exchange | undefined>()
  app.server.on('connection', (socket) => {
    open.set(socket, undefined)
    socket.once('close', () => open.delete(socket))
  })
  return {
    open,
    use(exchange) {
      const { socket } = exchange.request.raw
      // One that is no more is not to be followed again.
      if (open.has(socket)) open.set(socket, exchange)
    },
  }
}
