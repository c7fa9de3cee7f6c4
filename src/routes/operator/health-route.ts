import { ClosedObject } from '../../../schemas/common.ts'
import { Type } from '../../../schemas/type.ts'
import { success } from '../../http/openapi/response-schemas.ts'
import type { Server } from '../../http/types.ts'

const schema = {
  operationId: 'health',
  tags: ['Service'],
  summary: 'Whether the process is alive',
  response: success('It is', ClosedObject({ status: Type.Literal('ok') })),
}

/** Answers as long as the process does. */
export function healthRoute(app: Server): void {
  app.get('/health', { schema, config: { isProbe: true } }, async () => ({ status: 'ok' }))
}
