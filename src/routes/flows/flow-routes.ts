import {
  FlowPublication,
  FlowVersionHeaders,
  FlowVersions,
  PublishedFlowParams,
  RollbackFlowBody,
} from '../../../schemas/flow-publication.ts'
import { FlowStates } from '../../../schemas/flow-state.ts'
import { bodyFailures, failures, operatorFailures, success } from '../../http/openapi/response-schemas.ts'
import { flowChangeOf, flowVersioned } from '../../http/request/flow-etag.ts'
import { writeEtag } from '../../http/request/request-conditions.ts'
import type { Server } from '../../http/types.ts'
import type { Publication } from '../../publication/publication.ts'

const listSchema = {
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

const common = { tags: ['Flows'], params: PublishedFlowParams, security: [{ adminToken: ['publish'] }] }

const versionsSchema = {
  ...common,
  operationId: 'listFlowVersions',
  summary: 'See the versions of a published flow',
  response: {
    ...flowVersioned(success('Its versions', FlowVersions)),
    ...failures(...operatorFailures),
  },
}

const rollbackSchema = {
  ...common,
  operationId: 'rollbackFlow',
  summary: 'Serve a former version again',
  description:
    'Conversations that are under way stay on theirs. The next publication gets a number of its own.',
  headers: FlowVersionHeaders,
  body: RollbackFlowBody,
  response: {
    ...flowVersioned(success('The version is served', FlowPublication)),
    ...failures(...operatorFailures, ...bodyFailures, 'CONFLICT', 'PRECONDITION_FAILED'),
  },
}

/** The state of every flow, for the operator, and the versions of one (docs/api.md 4.18). */
export function flowRoutes(app: Server, { publication }: { readonly publication: Publication }): void {
  app.get('/v1/flows', { schema: listSchema }, async () => {
    await publication.inspected()
    return { flows: [...publication.states()] }
  })

  app.get('/v1/flows/:publicId/versions', { schema: versionsSchema }, async ({ params }, reply) =>
    publication.versions({ ...params, onVersion: writeEtag(reply) }),
  )

  app.post('/v1/flows/:publicId/rollback', { schema: rollbackSchema }, async (request, reply) => {
    const action = { kind: 'rollback' as const, version: request.body.version }
    return publication.change({ ...flowChangeOf(request, reply), action })
  })
}
