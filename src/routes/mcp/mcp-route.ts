import { McpHeaders, McpRequest, McpResponse } from '../../../schemas/mcp.ts'
import type { ChatDependencies } from '../../conversations/dependencies.ts'
import { bodyFailures, failures, success } from '../../http/openapi/response-schemas.ts'
import { addressOf, foreignOriginOf } from '../../http/request/request-source.ts'
import { requestLogOf } from '../../http/request-log.ts'
import { waitSignal } from '../../http/response/send-stream.ts'
import type { Server } from '../../http/types.ts'
import { ServiceError } from '../../lib/errors.ts'
import { createStateSeal } from '../../mcp/sealed-state.ts'
import { serveMcp } from '../../mcp/serve-mcp.ts'

const {
  400: badRequest,
  404: notFound,
  ...others
} = failures(...bodyFailures, 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'TOO_MANY_REQUESTS')
const answered = { 'application/json': { schema: McpResponse } }
const orAnswered = (failure: { content: object } | undefined) => ({
  ...failure,
  content: { ...failure?.content, ...answered },
})

const schema = {
  operationId: 'serveMcp',
  tags: ['Chat'],
  summary: 'Talk to flows from an assistant',
  description:
    'One message of the Model Context Protocol, by streamable HTTP: flows that their authors offer are tools (docs/mcp.md). Needs a token of the operator whose scope is `mcp`.',
  headers: McpHeaders,
  body: McpRequest,
  security: [{ mcpToken: [] }],
  response: {
    ...success('The result, or a refusal of what was asked for', McpResponse),
    202: { description: 'A notification, which wants no answer', type: 'null' },
    400: orAnswered(badRequest),
    404: orAnswered(notFound),
    ...others,
  },
}

interface Dependencies {
  readonly chat: ChatDependencies
  readonly closing: AbortSignal
  readonly config: {
    readonly sealSecret: string | undefined
    readonly publicUrl: string | undefined
    readonly webhookWaitMs: number
  }
}

/** Flows as tools of assistants (docs/mcp.md). */
export function mcpRoute(app: Server, { chat, closing, config }: Dependencies): void {
  const { webhookWaitMs: waitMs, publicUrl } = config
  const sources = { chat, seal: createStateSeal(config.sealSecret) }
  app.post('/mcp', { schema }, async (request, reply) => {
    // A site that a browser shows must not reach what only this machine reaches.
    if (foreignOriginOf(request) !== undefined)
      throw new ServiceError('FORBIDDEN', 'Assistants of other sites are not served: leave out Origin')
    const { body, headers, caller } = request
    const address = addressOf(request)
    const arePagesShown = request.server.pageAccess.pagesFor(request) !== 'off'
    const answer = await serveMcp(
      {
        body,
        headers,
        principal: caller.kind === 'assistant' ? caller.name : '',
        pages: arePagesShown ? (publicUrl ?? `${request.protocol}://${request.host}`) : undefined,
        visitor: {
          address,
          acceptLanguage: request.headers['accept-language'],
          requestLog: requestLogOf(request),
          wait: { waitMs, signal: () => waitSignal(reply, closing, 2 * waitMs), address: () => address },
        },
      },
      sources,
    )
    return reply.code(answer.status).send(answer.body)
  })
}
