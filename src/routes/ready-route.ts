import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../schemas/common.ts'
import { ServiceError } from '../errors.ts'
import { failures, success } from '../http/openapi/response-schemas.ts'
import type { Server } from '../http/types.ts'

const schema = {
  operationId: 'ready',
  tags: ['Service'],
  summary: 'Whether requests can be served',
  response: {
    ...success('They can', ClosedObject({ status: Type.Literal('ready') })),
    ...failures('SERVICE_UNAVAILABLE'),
  },
}

/** Tells why the service can't serve; empty when it can. */
export type Readiness = () => readonly string[] | Promise<readonly string[]>

/** Everything that each of them tells. */
export function readinessOf(sources: readonly Readiness[]): Readiness {
  return async () => (await Promise.all(sources.map((source) => source()))).flat()
}

/** Tells load balancers whether to send requests here. */
export function ready(app: Server, { readiness }: { readonly readiness: Readiness }): void {
  app.get('/ready', { schema }, async () => {
    const reasons = await readiness()
    if (reasons.length > 0) throw new ServiceError('SERVICE_UNAVAILABLE', reasons.join('; '))
    return { status: 'ready' }
  })
}
