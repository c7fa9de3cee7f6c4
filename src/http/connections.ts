import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** What came in on a connection last. Whatever came before it has arrived whole. */
export interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** The open connections, with what came in on each; undefined for one that has not been used yet. */
export type Connections = ReadonlyMap<Socket, Exchange | undefined>

/** Follows all connections: to look through them now and then costs less than a timer for each request. */
export function followConnections(app: FastifyInstance): Connections {
  const connections = new Map<Socket, Exchange | undefined>()
  app.server.on('connection', (socket) => {
    connections.set(socket, undefined)
    socket.once('close', () => connections.delete(socket))
  })
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    // One that is no more is not to be followed again.
    if (connections.has(socket)) connections.set(socket, { request, reply })
    done()
  })
  return connections
}
