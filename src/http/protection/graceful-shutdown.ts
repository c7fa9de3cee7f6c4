import type { FastifyInstance, FastifyReply } from 'fastify'
import { ServiceError } from '../../errors.ts'
import type { Connections } from '../request/connection-tracker.ts'

/** Whether requests come too late. */
export interface GracefulShutdown {
  /** Why a request is refused; undefined as long as the server is open. */
  refusalOf(reply: FastifyReply): ServiceError | undefined
  /** To be called for every response. */
  answered(): void
}

/**
 * While the server closes, answers what was accepted before and refuses what comes in on connections that are
 * still open. Each of them ends with its answer, so that none holds the process.
 */
export function createGracefulShutdown(app: FastifyInstance, connections: Connections): GracefulShutdown {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
    for (const socket of connections.open) {
      const exchange = connections.exchangeOn(socket)
      // Browsers open connections ahead of need. Node counts those as busy until they have sent a request.
      if (socket.bytesRead === 0) socket.destroy()
      else if (exchange && !exchange.reply.sent) exchange.reply.header('connection', 'close')
    }
  })
  return {
    refusalOf(reply) {
      if (!isClosing) return undefined
      reply.header('connection', 'close')
      return new ServiceError('SERVICE_UNAVAILABLE', 'The service is shutting down')
    },
    answered() {
      // An answer that was on its way when the closing began keeps its connection alive.
      if (isClosing) setImmediate(() => app.server.closeIdleConnections())
    },
  }
}
