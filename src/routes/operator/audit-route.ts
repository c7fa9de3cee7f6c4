import { Audit, AuditQuery } from '../../../schemas/flow-publication.ts'
import { anyFailures, failures, success } from '../../http/openapi/response-schemas.ts'
import { coerceQueryNumbers } from '../../http/request/queries.ts'
import type { Server } from '../../http/types.ts'
import type { Publication } from '../../publication/publication.ts'

const schema = {
  operationId: 'readAudit',
  tags: ['Flows'],
  summary: 'See who changed which flow, and when',
  querystring: AuditQuery,
  security: [{ adminToken: ['operate'] }],
  response: {
    ...success('A page of changes', Audit),
    ...failures(...anyFailures, 'UNAUTHORIZED', 'FORBIDDEN'),
  },
}

/** The changes of flows that were made over HTTP (docs/api.md 4.18). */
export function readAuditRoute(app: Server, { publication }: { readonly publication: Publication }): void {
  app.get('/v1/audit', { schema, preValidation: coerceQueryNumbers('limit', 'before') }, async ({ query }) =>
    publication.audit(query),
  )
}
