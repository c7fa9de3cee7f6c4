import type { TObject, TSchema, TString } from '@sinclair/typebox'
import { DeliveriesQuery, Retried } from '../../../schemas/outgoing-webhooks.ts'
import type { Destination, Destinations } from '../../delivery/destinations.ts'
import {
  anyFailures,
  bodyFailures,
  failures,
  operatorFailures,
  success,
} from '../../http/openapi/response-schemas.ts'
import { actorOf } from '../../http/protection/auth.ts'
import { disableBodyParsing } from '../../http/request/body/raw-body.ts'
import { coerceQueryNumbers } from '../../http/request/queries.ts'
import type { Server } from '../../http/types.ts'

type OperationName = 'list' | 'get' | 'put' | 'remove' | 'deliveries' | 'retry' | 'retryOne'

interface Described {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
}

/** The differences between the routes of webhooks and those of channels. */
interface DestinationRoutes {
  /** Of all; also the name of the list in the answer. */
  readonly name: 'webhooks' | 'channels'
  readonly tag: string
  readonly operations: Readonly<Record<OperationName, Described>>
  readonly params: TObject<{ name: TString }>
  readonly deliveryParams: TObject<{ name: TString; number: TString }>
  readonly body: TSchema
  readonly one: TSchema
  readonly all: TSchema
  readonly deliveries: TSchema
  /** Whether there are some that a deletion meets and may not delete. */
  readonly areSomeFixed: boolean
}

/** The places that events go to, what became of the events, and sending them anew. */
export function destinationRoutes<Place extends Destination, Settings>(
  app: Server,
  destinations: Destinations<Place, Settings, unknown>,
  routes: DestinationRoutes,
): void {
  const { name } = routes
  const path = `/v1/${name}/:name`
  const schemas = schemasOf(routes)
  app.get(`/v1/${name}`, { schema: schemas.list }, async () => ({ [name]: await destinations.list() }))

  app.get(path, { schema: schemas.get }, async ({ params }) => destinations.get(params.name))

  app.put(path, { schema: schemas.put }, async (request) =>
    destinations.put(request.params.name, request.body as Settings, actorOf(request)),
  )

  app.register(async (scope: Server) => {
    disableBodyParsing(scope)
    scope.delete(path, { schema: schemas.remove }, async (request, reply) => {
      await destinations.remove(request.params.name, actorOf(request))
      return reply.code(204).send()
    })
  })

  app.get(
    `${path}/deliveries`,
    { schema: schemas.deliveries, preValidation: coerceQueryNumbers('limit', 'before') },
    async ({ params, query }) => destinations.deliveriesOf(params.name, query),
  )

  app.post(`${path}/retry`, { schema: schemas.retry }, async ({ params }) => destinations.retry(params.name))

  app.post(`${path}/deliveries/:number/retry`, { schema: schemas.retryOne }, async ({ params }) =>
    destinations.retry(params.name, Number(params.number)),
  )
}

function schemasOf({ tag, operations, params, deliveryParams, body, ...answers }: DestinationRoutes) {
  const described = (name: OperationName) => ({
    tags: [tag],
    security: [{ adminToken: ['operate'] }],
    ...operations[name],
  })
  const answered = (description: string, schema: TSchema) => ({
    response: { ...success(description, schema), ...failures(...operatorFailures) },
  })
  return {
    list: {
      ...described('list'),
      response: {
        ...success('All of them', answers.all),
        ...failures(...anyFailures, 'UNAUTHORIZED', 'FORBIDDEN'),
      },
    },
    get: { ...described('get'), params, ...answered('Its settings', answers.one) },
    put: {
      ...described('put'),
      params,
      body,
      response: {
        ...success('Its settings', answers.one),
        ...failures(...bodyFailures, 'UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT'),
      },
    },
    remove: {
      ...described('remove'),
      params,
      response: {
        204: { description: 'It is deleted', type: 'null' },
        ...failures(...operatorFailures, ...(answers.areSomeFixed ? (['CONFLICT'] as const) : [])),
      },
    },
    deliveries: {
      ...described('deliveries'),
      params,
      querystring: DeliveriesQuery,
      ...answered('A page of deliveries', answers.deliveries),
    },
    retry: { ...described('retry'), params, ...answered('They are sent', Retried) },
    retryOne: { ...described('retryOne'), params: deliveryParams, ...answered('It is sent', Retried) },
  }
}
