import { ChannelParams, InviteBody, Invited } from '../../../schemas/channels.ts'
import { invite } from '../../channels/invite.ts'
import { bodyFailures, failures, success } from '../../http/openapi/response-schemas.ts'
import { actorOf } from '../../http/protection/auth.ts'
import type { Server } from '../../http/types.ts'

const schema = {
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
  app.post('/v1/channels/:name/invite', { schema }, async (request) => {
    const { params, body } = request
    return invite({ name: params.name, body, actor: actorOf(request) }, deps)
  })
}
