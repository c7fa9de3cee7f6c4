import type { FastifyInstance } from 'fastify'

/** Refuses requests to the routes of `scope` with a key in the query that the route does not know: a misspelt filter is none. */
export function refuseUnknownQueries(scope: FastifyInstance): void {
  scope.addHook('onRoute', (route) => {
    const querystring = (route.schema?.querystring ?? { type: 'object', properties: {} }) as object
    route.schema = { ...route.schema, querystring: { ...querystring, additionalProperties: false } }
  })
}
