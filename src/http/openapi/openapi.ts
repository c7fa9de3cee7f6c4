import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../../lib/errors.ts'
import type { Server } from '../types.ts'
import type { DescribedRoute, DescriptionTerms } from './description-server.ts'
import { json } from './response-schemas.ts'

const hidden = { schema: { hide: true } }

/** The page at /docs has fields for tokens: it runs what it is made of alone, and stands in no frame. */
const policyOf = (publicUrl: string | undefined) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    // Its library writes styles into the page.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self' ${publicUrl === undefined ? '' : new URL(publicUrl).origin}`.trim(),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/**
 * Describes the routes that are registered afterwards: for machines at /openapi.json, for people at /docs. Most processes
 * are never asked for it: the description is made, and what makes it is loaded, with the first request.
 */
export function describeRoutes(app: Server, terms: DescriptionTerms): void {
  const { publicUrl } = terms
  const routes: DescribedRoute[] = []
  app.addHook('onRoute', (route) => {
    // A GET brings its HEAD along.
    if (route.method !== 'HEAD') routes.push(route)
  })
  let server: Promise<FastifyInstance> | undefined
  const inject = async (url: string, headers: FastifyRequest['headers'] = {}) => {
    server ??= import('./description-server.ts').then((module) =>
      module.createDescriptionServer(
        // A scope hides its routes after this hook has seen them.
        routes.filter(({ schema }) => !schema?.hide),
        terms,
      ),
    )
    return (await server).inject({ url, headers })
  }
  let description: Promise<Buffer> | undefined
  const policy = policyOf(publicUrl)
  app.addHook('onClose', async () => (await server)?.close())
  app.get('/openapi.json', hidden, async (_request, reply) => {
    description ??= inject('/docs/json').then(({ rawPayload }) => rawPayload)
    return reply
      .header('content-security-policy', policy)
      .type(json)
      .send(await description)
  })
  for (const url of ['/docs', '/docs/*']) {
    app.get(url, hidden, async (request, reply) => {
      const { statusCode, headers, rawPayload } = await inject(request.url, request.headers)
      if (statusCode === 404) throw new ServiceError('NOT_FOUND', 'Not found')
      if (statusCode >= 400) throw Object.assign(new Error('The docs page refused it'), { statusCode })
      const { connection: _connection, date: _date, ...own } = headers
      return reply
        .code(statusCode)
        .headers({ ...own, 'content-security-policy': policy })
        .send(rawPayload.length > 0 ? rawPayload : undefined)
    })
  }
}
