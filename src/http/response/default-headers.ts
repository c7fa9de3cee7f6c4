import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { setCorsHeaders } from '../protection/cors.ts'

/** The id that the caller gave a request, when it is fit for headers and logs; else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w.:+/=-]{1,128}$/.test(given) ? given : randomUUID()
}

/**
 * Sets what every answer carries: answers are meant for one caller, once, and are what they say they are. A client that asks
 * from a site may read them there.
 */
export function setDefaultHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id)
  reply.header('cache-control', 'no-store')
  reply.header('x-content-type-options', 'nosniff')
  setCorsHeaders(request, reply)
}
