import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Seconds for which a browser may keep what a preflight said: the longest that the common ones accept. */
const preflightSeconds = 86_400

/** Headers that only a proxy may set: other origins are not allowed them. */
const forwarded = /^(?:x-forwarded-.*|x-real-ip|forwarded|via)$/i

function withoutForwarded(names: string): string {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => !forwarded.test(name))
    .join(', ')
}

/** Answers browsers that ask whether they may ask: of any address, and before anything of it is looked at. */
export function registerPreflight(app: FastifyInstance): void {
  const onRequest = ({ headers }: FastifyRequest, reply: FastifyReply) => {
    const wanted = headers['access-control-request-headers']
    reply.header('vary', 'Origin, Access-Control-Request-Headers')
    reply.header('access-control-allow-methods', 'GET, HEAD, PUT, POST, DELETE, PATCH')
    if (wanted !== undefined) reply.header('access-control-allow-headers', withoutForwarded(wanted))
    reply.header('access-control-max-age', preflightSeconds)
    reply.code(204).send()
  }
  app.options('*', { onRequest, schema: { hide: true } }, () => undefined)
}
