import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../errors.ts'
import type { Connections } from './connections.ts'

/**
 * While the server closes, answers what was accepted before and refuses what comes in on connections that are
 * still open. Each of them ends with its answer, so that none holds the process.
 */
export function refuseWhileClosing(app: FastifyInstance, connections: Connections): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
    for (const [socket, exchange] of connections) {
      // Browsers open connections ahead of need. Node counts those as busy until they have sent a request.
      if (socket.bytesRead === 0) socket.destroy()
      else if (exchange && !exchange.reply.sent) exchange.reply.header('connection', 'close')
    }
  })
  app.addHook('onRequest', (_request, reply, done) => {
    if (!isClosing) return done()
    reply.header('connection', 'close')
    done(new ServiceError('SERVICE_UNAVAILABLE', 'The service is shutting down'))
  })
  app.addHook('onResponse', (_request, _reply, done) => {
    // An answer that was on its way when the closing began keeps its connection alive.
    if (isClosing) setImmediate(() => app.server.closeIdleConnections())
    done()
  })
}
