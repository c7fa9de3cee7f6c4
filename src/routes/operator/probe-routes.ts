import { ClosedObject } from '../../../schemas/common.ts'
import { Type } from '../../../schemas/type.ts'
import { failures, success } from '../../http/openapi/response-schemas.ts'
import { requireToken } from '../../http/protection/auth.ts'
import type { Server } from '../../http/types.ts'
import { ServiceError } from '../../lib/errors.ts'

const healthSchema = {
  operationId: 'health',
  tags: ['Service'],
  summary: 'Whether the process is alive',
  response: success('It is', ClosedObject({ status: Type.Literal('ok') })),
}

const Ready = ClosedObject({
  status: Type.Literal('ready'),
  notices: Type.Optional(
    Type.Array(Type.String(), { description: 'What is amiss, or refused for a while, all the same' }),
  ),
})

const readySchema = {
  operationId: 'ready',
  tags: ['Service'],
  summary: 'Whether requests can be served',
  response: { ...success('They can', Ready), ...failures('SERVICE_UNAVAILABLE') },
}

const metricsSchema = {
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

/** Returns why the service can't serve; empty when it can. */
export type Readiness = () => readonly string[] | Promise<readonly string[]>

/** The reasons of all of them. */
export function readinessOf(sources: readonly Readiness[]): Readiness {
  return async () => (await Promise.all(sources.map((source) => source()))).flat()
}

interface Dependencies {
  readonly readiness: Readiness
  readonly notices: Readiness
  readonly metricsText: MetricsText
  /** Undefined: the metrics need none. */
  readonly token: string | undefined
}

const config = { isProbe: true } as const

/** Answers to what watches over the process: that it is alive, whether to send requests here, and what was counted. */
export function probeRoutes(app: Server, { readiness, notices, metricsText, token }: Dependencies): void {
  app.get('/health', { schema: healthSchema, config }, async () => ({ status: 'ok' }))

  app.get('/ready', { schema: readySchema, config }, async () => {
    const reasons = await readiness()
    if (reasons.length > 0) throw new ServiceError('SERVICE_UNAVAILABLE', reasons.join('; '))
    const remarks = await notices()
    return { status: 'ready', ...(remarks.length > 0 && { notices: remarks }) }
  })

  app.register(async (scope: Server) => {
    requireToken(scope, { token, variable: 'METRICS_TOKEN' })
    scope.get('/metrics', { schema: metricsSchema, config }, async (_request, reply) =>
      reply.type(metricsText.contentType).send(await metricsText.text()),
    )
  })
}
