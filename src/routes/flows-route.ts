import { type FlowState, FlowStates } from '../../schemas/flow-state.ts'
import { failures, success } from '../http/openapi/response-schemas.ts'
import type { Server } from '../http/types.ts'

const schema = {
  operationId: 'listFlows',
  tags: ['Flows'],
  summary: 'See which flows are published, and what is wrong with the others',
  description: 'Every flow file as the service found it at its last look at the folder.',
  security: [{ adminToken: [] }],
  response: {
    ...success('All flow files, in the order of their names', FlowStates),
    ...failures('UNAUTHORIZED', 'FORBIDDEN'),
  },
}

/** The state of every flow file, for the operator. */
export function listFlows(app: Server, { flows }: { readonly flows: () => readonly FlowState[] }): void {
  app.get('/v1/flows', { schema }, async () => ({ flows: [...flows()] }))
}
