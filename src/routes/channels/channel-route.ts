import { Channel, ChannelBody, ChannelParams, Channels as ChannelsAnswer } from '../../../schemas/channels.ts'
import type { Channels } from '../../channels/channels-service.ts'
import {
  anyFailures,
  bodyFailures,
  failures,
  operatorFailures,
  success,
} from '../../http/openapi/response-schemas.ts'
import { actorOf } from '../../http/protection/auth.ts'
import { disableBodyParsing } from '../../http/request/body/raw-body.ts'
import type { Server } from '../../http/types.ts'

const common = { tags: ['Channels'], security: [{ adminToken: ['operate'] }] }
const one = { ...common, params: ChannelParams }

const listSchema = {
  ...common,
  operationId: 'listChannels',
  summary: 'See by which messengers people are reached',
  response: {
    ...success('All of them', ChannelsAnswer),
    ...failures(...anyFailures, 'UNAUTHORIZED', 'FORBIDDEN'),
  },
}

const getSchema = {
  ...one,
  operationId: 'getChannel',
  summary: 'See the settings of a channel',
  response: { ...success('Its settings', Channel), ...failures(...operatorFailures) },
}

const putSchema = {
  ...one,
  operationId: 'putChannel',
  summary: 'Hold flows on a messenger',
  description: 'In the place of what the channel was before; one that was disabled is enabled by it.',
  body: ChannelBody,
  response: {
    ...success('Its settings', Channel),
    ...failures(...bodyFailures, 'UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT'),
  },
}

const deleteSchema = {
  ...one,
  operationId: 'deleteChannel',
  summary: 'Take no more messages, and send none that wait',
  response: {
    204: { description: 'It is deleted', type: 'null' },
    ...failures(...operatorFailures, 'CONFLICT'),
  },
}

const path = '/v1/channels/:name'

/** By which messengers people are reached (docs/api.md 4.32). */
export function channelRoute(app: Server, { channels }: { readonly channels: Channels }): void {
  app.get('/v1/channels', { schema: listSchema }, async () => channels.list())

  app.get(path, { schema: getSchema }, async ({ params }) => channels.get(params.name))

  app.put(path, { schema: putSchema }, async (request) =>
    channels.put(request.params.name, request.body, actorOf(request)),
  )

  app.register(async (scope: Server) => {
    disableBodyParsing(scope)
    scope.delete(path, { schema: deleteSchema }, async (request, reply) => {
      await channels.remove(request.params.name, actorOf(request))
      return reply.code(204).send()
    })
  })
}
