import { ClosedObject } from '../../../schemas/common.ts'
import { Type } from '../../../schemas/type.ts'
import { failures, success } from '../../http/openapi/response-schemas.ts'
import type { Server } from '../../http/types.ts'
import { ServiceError } from '../../lib/errors.ts'

const Ready = ClosedObject({
  status: Type.Literal('ready'),
  notices: Type.Optional(
    Type.Array(Type.String(), { description: 'What is amiss, or refused for a while, all the same' }),
  ),
})

const schema = {
  operationId: 'ready',
  tags: ['Service'],
  summary: 'Whether requests can be served',
  response: {
    ...success('They can', Ready),
    ...failures('SERVICE_UNAVAILABLE'),
  },
}

/** Returns why the service can't serve; empty when it can. */
export type Readiness = () => readonly string[] | Promise<readonly string[]>

/** The reasons of all of them. */
export function readinessOf(sources: readonly Readiness[]): Readiness {
  return async () => (await Promise.all(sources.map((source) => source()))).flat()
}

/** Says to load balancers whether to send requests here. */
export function readyRoute(
  app: Server,
  { readiness, notices }: { readonly readiness: Readiness; readonly notices: Readiness },
): void {
  app.get('/ready', { schema, config: { isProbe: true } }, async () => {
    const reasons = await readiness()
    if (reasons.length > 0) throw new ServiceError('SERVICE_UNAVAILABLE', reasons.join('; '))
    const remarks = await notices()
    return { status: 'ready', ...(remarks.length > 0 && { notices: remarks }) }
  })
}
