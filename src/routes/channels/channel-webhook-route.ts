import { ChannelParams } from '../../../schemas/channels.ts'
import { Type } from '../../../schemas/type.ts'
import type { Receiver } from '../../channels/receive.ts'
import { anyFailures, failures } from '../../http/openapi/response-schemas.ts'
import { type JsonBodies, readAnyBodies } from '../../http/request/body/json-body-parser.ts'
import { rawRequestOf } from '../../http/request/raw-request.ts'
import type { Server } from '../../http/types.ts'

/** Bytes of a request: what a messenger sends at once, at most. */
const bodyLimit = 3 * 1024 * 1024

const common = { tags: ['Channels'], params: ChannelParams, security: [] }

const challengeSchema = {
  ...common,
  operationId: 'confirmChannelWebhook',
  summary: 'Answer a messenger that asks whether the address of a channel is ours',
  response: {
    200: {
      description: 'What it has sent along',
      content: { 'text/plain': { schema: Type.String() } },
    },
    ...failures(...anyFailures, 'UNAUTHORIZED'),
  },
}

const receiveSchema = {
  ...common,
  operationId: 'receiveFromChannel',
  summary: 'Take messages of a messenger',
  description:
    'For messengers, which prove that it is them. Answered when all that came is kept, and before anything of it is answered.',
  body: { content: { '*/*': { schema: { type: 'string', format: 'binary' } } } },
  response: {
    200: { description: 'All of it is kept', type: 'null' },
    ...failures(
      ...anyFailures,
      'UNAUTHORIZED',
      'PAYLOAD_TOO_LARGE',
      'REQUEST_TIMEOUT',
      'UNSUPPORTED_MEDIA_TYPE',
    ),
  },
} as const

interface WebhookDependencies {
  readonly receiver: Receiver
  readonly publicUrl: string | undefined
}

/** Requests of messengers (docs/api.md 4.32). */
export function channelWebhookRoute(
  app: Server,
  { receiver, publicUrl }: WebhookDependencies,
  bodies: JsonBodies,
): void {
  const path = '/v1/channels/:name/webhook'

  app.get(path, { schema: challengeSchema }, async (request, reply) => {
    const challenge = await receiver.challenge(request.params.name, rawRequestOf(request, publicUrl))
    return reply.type('text/plain').send(challenge)
  })

  app.register(async (scope: Server) => {
    readAnyBodies(scope, { ...bodies, bodyLimit })
    const route = { schema: receiveSchema, bodyLimit, validatorCompiler: () => () => true }
    scope.post(path, route, async (request, reply) => {
      await receiver.receive((request.params as { name: string }).name, rawRequestOf(request, publicUrl))
      return reply.send()
    })
  })
}
