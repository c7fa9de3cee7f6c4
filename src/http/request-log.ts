import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * Logs one line a request. It names the route, not the address, and holds nothing that the caller wrote but the
 * request id: no body, no session, no authorization, no origin.
 */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply)
    done()
  })
}

/** Logs the line of one request, for answers that pass by the hooks. */
export function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  request.log.info(
    {
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 1000) / 1000,
    },
    'request',
  )
}
