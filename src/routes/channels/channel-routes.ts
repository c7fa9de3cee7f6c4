import {
  Channel,
  ChannelBody,
  ChannelDeliveries,
  ChannelDeliveryParams,
  ChannelParams,
  Channels as ChannelsAnswer,
  InviteBody,
  Invited,
} from '../../../schemas/channels.ts'
import type { Channels } from '../../channels/channels-service.ts'
import { invite } from '../../channels/invite.ts'
import { bodyFailures, failures, success } from '../../http/openapi/response-schemas.ts'
import { actorOf } from '../../http/protection/auth.ts'
import type { Server } from '../../http/types.ts'
import { destinationRoutes } from '../webhooks/destination-routes.ts'

/** By which messengers people are reached (docs/api.md 4.32). */
export function channelRoutes(app: Server, { channels }: { readonly channels: Channels }): void {
  destinationRoutes(app, channels, {
    name: 'channels',
    tag: 'Channels',
    operations,
    params: ChannelParams,
    deliveryParams: ChannelDeliveryParams,
    body: ChannelBody,
    one: Channel,
    all: ChannelsAnswer,
    deliveries: ChannelDeliveries,
    areSomeFixed: true,
  })
}

const operations = {
  list: { operationId: 'listChannels', summary: 'See by which messengers people are reached' },
  get: { operationId: 'getChannel', summary: 'See the settings of a channel' },
  put: {
    operationId: 'putChannel',
    summary: 'Hold flows on a messenger',
    description: 'In the place of what the channel was before; one that was disabled is enabled by it.',
  },
  remove: { operationId: 'deleteChannel', summary: 'Take no more messages, and send none that wait' },
  deliveries: {
    operationId: 'listChannelDeliveries',
    summary: 'See what became of the messages of a channel',
  },
  retry: {
    operationId: 'retryChannelDeliveries',
    summary: 'Send all messages now that have not arrived',
    description: 'Those that were set aside as well, as if for the first time.',
  },
  retryOne: { operationId: 'retryChannelDelivery', summary: 'Send one message now that has not arrived' },
}

const inviteSchema = {
  operationId: 'inviteByChannel',
  tags: ['Channels'],
  security: [{ adminToken: ['operate'] }],
  summary: 'Begin a conversation with somebody',
  description:
    'By a template, which is sent at once; the flow starts when the person answers. The consent is kept with the contact.',
  params: ChannelParams,
  body: InviteBody,
  response: {
    ...success('It is begun', Invited),
    ...failures(
      ...bodyFailures,
      'UNAUTHORIZED',
      'FORBIDDEN',
      'NOT_FOUND',
      'CONFLICT',
      'UNPROCESSABLE_CONTENT',
    ),
  },
}

type InviteDependencies = Parameters<typeof invite>[1]

/** Conversations that the operator begins (docs/api.md 4.32). */
export function inviteRoute(app: Server, deps: InviteDependencies): void {
  app.post('/v1/channels/:name/invite', { schema: inviteSchema }, async (request) => {
    const { params, body } = request
    return invite({ name: params.name, body, actor: actorOf(request) }, deps)
  })
}
