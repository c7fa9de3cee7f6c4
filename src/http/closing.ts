import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../errors.ts'

/**
 * While the server closes, answers what was accepted before and refuses what comes in on connections that are
 * still open. Each of them ends with its answer, so that none holds the process.
 */
export function refuseWhileClosing(app: FastifyInstance): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onRequest', (_request, _reply, done) => {
    done(isClosing ? new ServiceError('SERVICE_UNAVAILABLE', 'The service is shutting down') : undefined)
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isClosing) reply.header('connection', 'close')
    done()
  })
  app.addHook('onResponse', (_request, _reply, done) => {
    // An answer that was on its way when the closing began keeps its connection alive.
    if (isClosing) setImmediate(() => app.server.closeIdleConnections())
    done()
  })
  dropUnusedConnections(app)
}

/** Browsers open connections ahead of need. Node counts those as busy until they have sent a request. */
function dropUnusedConnections(app: FastifyInstance): void {
  const open = new Set<Socket>()
  app.server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  app.addHook('preClose', async () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  })
}
