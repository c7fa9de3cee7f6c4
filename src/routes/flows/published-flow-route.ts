import {
  ChangeFlowBody,
  FlowPublication,
  FlowVersionHeaders,
  PublishedFlowBody,
  PublishedFlowParams,
  PublishFlowHeaders,
  PublishFlowQuery,
} from '../../../schemas/flow-publication.ts'
import { Type } from '../../../schemas/type.ts'
import { bodyFailures, failures, operatorFailures, success } from '../../http/openapi/response-schemas.ts'
import { disableBodyParsing } from '../../http/request/body/raw-body.ts'
import { flowChangeOf, flowVersioned } from '../../http/request/flow-etag.ts'
import { writeEtag } from '../../http/request/request-conditions.ts'
import type { Server } from '../../http/types.ts'
import type { Publication } from '../../publication/publication.ts'

const common = { tags: ['Flows'], params: PublishedFlowParams, security: [{ adminToken: ['publish'] }] }

const changeFailures = failures(...operatorFailures, ...bodyFailures, 'CONFLICT', 'PRECONDITION_FAILED')

const getSchema = {
  ...common,
  operationId: 'getFlow',
  summary: 'Read a published flow with its definition',
  response: {
    ...flowVersioned(success('The version that is served', PublishedFlowBody)),
    ...failures(...operatorFailures),
  },
}

const putSchema = {
  ...common,
  operationId: 'publishFlow',
  summary: 'Publish a definition',
  description:
    'As the next version of the flow; conversations that are under way stay on theirs. One in which a check finds errors is refused without `force`. What is served already makes no version. Without a database versions end with the process.',
  querystring: PublishFlowQuery,
  headers: PublishFlowHeaders,
  body: Type.Unsafe<unknown>(Type.Ref('FlowDefinition')),
  response: { ...flowVersioned(success('It is published', FlowPublication)), ...changeFailures },
}

const patchSchema = {
  ...common,
  operationId: 'changeFlow',
  summary: 'Close or archive a flow, or open it again',
  headers: FlowVersionHeaders,
  body: ChangeFlowBody,
  response: { ...flowVersioned(success('The flow as it is now', FlowPublication)), ...changeFailures },
}

const deleteSchema = {
  ...common,
  operationId: 'deleteFlow',
  summary: 'Withdraw a flow with all its versions',
  description: 'Conversations that are under way go on, and results stay.',
  headers: FlowVersionHeaders,
  response: {
    204: { description: 'It is withdrawn', type: 'null' },
    ...failures(...operatorFailures, 'CONFLICT', 'PRECONDITION_FAILED'),
  },
}

const path = '/v1/flows/:publicId'

interface Dependencies {
  readonly publication: Publication
  /** Bytes of a body, which is a definition and may be larger than others. */
  readonly bodyLimit: number
}

/** One published flow (docs/api.md 4.18). */
export function publishedFlowRoute(app: Server, { publication, bodyLimit }: Dependencies): void {
  app.get(path, { schema: getSchema }, async ({ params }, reply) =>
    publication.get({ ...params, onVersion: writeEtag(reply) }),
  )

  app.put(path, { schema: putSchema, bodyLimit }, async (request, reply) => {
    const isForced = request.query.force === 'true'
    return publication.publish({ ...flowChangeOf(request, reply), definition: request.body, isForced })
  })

  app.patch(path, { schema: patchSchema }, async (request, reply) => {
    const { isClosed, isArchived } = request.body
    const flags = {
      ...(isClosed !== undefined && { isClosed }),
      ...(isArchived !== undefined && { isArchived }),
    }
    return publication.change({ ...flowChangeOf(request, reply), action: { kind: 'set', ...flags } })
  })

  app.register(async (scope: Server) => {
    disableBodyParsing(scope)
    scope.delete(path, { schema: deleteSchema }, async (request, reply) => {
      await publication.change({ ...flowChangeOf(request, reply), action: { kind: 'delete' } })
      return reply.code(204).send()
    })
  })
}
