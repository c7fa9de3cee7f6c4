import { Type } from '../../../schemas/type.ts'
import { failures } from '../../http/openapi/response-schemas.ts'
import { requireToken } from '../../http/protection/auth.ts'
import type { Server } from '../../http/types.ts'

const schema = {
  operationId: 'metrics',
  tags: ['Service'],
  summary: 'What was counted since the start',
  description: 'In the text format of Prometheus. The bearer token is needed where one is set.',
  security: [{}, { metricsToken: [] }],
  response: {
    200: { description: 'The metrics', content: { 'text/plain': { schema: Type.String() } } },
    ...failures('BAD_REQUEST', 'UNAUTHORIZED', 'INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE'),
  },
}

/** Text of the counters at the time of the call. */
export interface MetricsText {
  readonly contentType: string
  text(): Promise<string>
}

/** Returns the metrics (docs/api.md 4.12). */
export function metricsRoute(
  app: Server,
  { source, token }: { readonly source: MetricsText; readonly token: string | undefined },
): void {
  app.register(async (scope: Server) => {
    requireToken(scope, { token, variable: 'METRICS_TOKEN' })
    scope.get('/metrics', { schema, config: { isProbe: true } }, async (_request, reply) =>
      reply.type(source.contentType).send(await source.text()),
    )
  })
}
