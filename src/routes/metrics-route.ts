import { Type } from '@sinclair/typebox'
import { requireBearer } from '../chat/bearer-token.ts'
import { failures } from '../http/openapi/response-schemas.ts'
import type { Server } from '../http/types.ts'

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

/** What was counted, as it is at the call. */
export interface MetricsText {
  readonly contentType: string
  text(): Promise<string>
}

/** Gives metrics to whoever collects them (docs/api.md 4.12). */
export function metrics(
  app: Server,
  { source, token }: { readonly source: MetricsText; readonly token: string | undefined },
): void {
  app.get('/metrics', { schema }, async (request, reply) => {
    if (token !== undefined) requireBearer(token, request.headers.authorization)
    return reply.type(source.contentType).send(await source.text())
  })
}
