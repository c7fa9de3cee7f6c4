import type { FastifyRequest } from 'fastify'
import type { PublishedFlow } from '../stores/published-flows.ts'

/**
 * Warns the operator, once for each flow with `allowedOrigins`, that its page will be refused: where the service knows no
 * origin of its own, that page counts as one of another site.
 */
export function createOriginWarning() {
  const warned = new Set<string>()
  return ({ server, log }: FastifyRequest, { publicId, program }: PublishedFlow): void => {
    if (server.pageAccess.hasOrigin || program.allowedOrigins.length === 0 || warned.has(publicId)) return
    warned.add(publicId)
    log.warn({ flow: publicId }, 'PUBLIC_URL is not set: allowedOrigins refuses the page of the flow at /f')
  }
}
