import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OpenSpan, SpanFacts, Spans } from '../../ports/spans-port.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Its span; undefined without tracing, and for probes. */
    span: OpenSpan | undefined
  }
}

/** Asked for all the time by what monitors the process. */
const probes = new Set(['/health', '/ready', '/metrics'])

/** Begins a span for every request of `app` but probes, as a child of its caller's, and ends it with the response. */
export function beginRequestSpans(app: FastifyInstance, spans: Spans | undefined): void {
  app.decorateRequest('span', undefined)
  if (!spans) return
  app.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url
    if (route === undefined || !probes.has(route)) {
      const span = spans.begin(describeRequest(request, route), traceparentOf(request))
      request.span = span
      reply.raw.once('close', () => span.end(describeResponse(reply)))
    }
    done()
  })
}

/** Names the route, and never the address: the id of a session is a secret. */
function describeRequest({ method, protocol }: FastifyRequest, route: string | undefined): SpanFacts {
  if (route === undefined) {
    // Callers choose methods that no route has.
    const known = usualMethods.has(method) ? method : '_OTHER'
    return {
      name: 'HTTP',
      kind: 'server',
      attributes: { 'http.request.method': known, 'url.scheme': protocol },
    }
  }
  const template = route.replace(/:(\w+)/g, '{$1}')
  const attributes = { 'http.request.method': method, 'url.scheme': protocol, 'http.route': template }
  return { name: `${method} ${template}`, kind: 'server', attributes }
}

/** Methods that spans distinguish where there is no route. */
const usualMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

function describeResponse({ raw }: FastifyReply) {
  const { statusCode, writableFinished } = raw
  if (!writableFinished) return { 'error.type': 'client closed' }
  return {
    'http.response.status_code': statusCode,
    ...(statusCode >= 500 && { 'error.type': String(statusCode) }),
  }
}

/** Undefined for one that came several times, as that names nothing. */
function traceparentOf({ headers: { traceparent } }: FastifyRequest): string | undefined {
  return typeof traceparent === 'string' ? traceparent : undefined
}
