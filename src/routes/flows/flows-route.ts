import { FlowStates } from '../../../schemas/flow-state.ts'
import { failures, success } from '../../http/openapi/response-schemas.ts'
import type { Server } from '../../http/types.ts'
import type { Publication } from '../../publication/publication.ts'

const schema = {
  operationId: 'listFlows',
  tags: ['Flows'],
  summary: 'See which flows are published, and what is wrong with the others',
  description:
    'Every flow file as the service found it at its last look at the folder, and every flow that was published over HTTP.',
  security: [{ adminToken: ['publish'] }],
  response: {
    ...success('All flow files, in the order of their names, and then all other flows', FlowStates),
    ...failures('UNAUTHORIZED', 'FORBIDDEN'),
  },
}

/** The state of every flow, for the operator. */
export function listFlowsRoute(app: Server, { publication }: { readonly publication: Publication }): void {
  app.get('/v1/flows', { schema }, async () => {
    await publication.inspected()
    return { flows: [...publication.states()] }
  })
}
