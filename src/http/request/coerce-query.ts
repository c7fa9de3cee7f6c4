import type { FastifyRequest } from 'fastify'

/**
 * Makes numbers of the given parts of a query where they read like whole numbers, so that a schema can ask for them.
 * Everything else stays as it is, for the schema to refuse.
 */
export function coerceQueryNumbers(...names: readonly string[]) {
  return (request: FastifyRequest, _reply: unknown, done: () => void): void => {
    const query = request.query as Record<string, unknown>
    for (const name of names) {
      const text = query[name]
      if (typeof text === 'string' && /^\d{1,15}$/.test(text)) query[name] = Number(text)
    }
    done()
  }
}
