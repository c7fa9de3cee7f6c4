import type { FastifyRequest } from 'fastify'

/** A request as it came, for those who check by all of it who has sent it. The address is the one that its sender was given. */
export function rawRequestOf(request: FastifyRequest, publicUrl = `${request.protocol}://${request.host}`) {
  return {
    headers: request.headers,
    query: request.query as Readonly<Record<string, string>>,
    url: publicUrl + request.url,
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
  }
}
