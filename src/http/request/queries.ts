import type { FastifyInstance, FastifyRequest } from 'fastify'

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

/** Refuses requests to the routes of `scope` with a key in the query that the route does not know: a misspelt filter is none. */
export function refuseUnknownQueries(scope: FastifyInstance): void {
  scope.addHook('onRoute', (route) => {
    const querystring = (route.schema?.querystring ?? { type: 'object', properties: {} }) as object
    route.schema = { ...route.schema, querystring: { ...querystring, additionalProperties: false } }
  })
}
