import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

const exposed = [
  'accept-ranges',
  'content-disposition',
  'content-range',
  'etag',
  'idempotent-replayed',
  'link',
  'retry-after',
  'x-request-id',
].join(', ')

/** The id that the caller gave a request, when it is fit for headers and logs; else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w.:+/=-]{1,128}$/.test(given) ? given : randomUUID()
}

/**
 * Sets what every answer carries: answers are meant for one caller, once, and are what they say they are. Any site may
 * read them, errors included: who may ask is up to the flow (src/conversations/session/open-session.ts), and there are no
 * credentials to share.
 */
export function setDefaultHeaders({ id, headers: { origin } }: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', id)
  reply.header('cache-control', 'no-store')
  reply.header('x-content-type-options', 'nosniff')
  reply.header('vary', 'Origin')
  if (origin === undefined) return
  reply.header('access-control-allow-origin', '*')
  reply.header('access-control-expose-headers', exposed)
}
