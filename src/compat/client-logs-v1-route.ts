import type { Static } from '@sinclair/typebox'
import { StringEnum } from '../../schemas/common.ts'
import { SessionParams } from '../../schemas/continue-chat.ts'
import type { ClientLogsBody } from '../../schemas/session.ts'
import { Type } from '../../schemas/type.ts'
import { saveClientLogs } from '../conversations/continue/save-client-logs.ts'
import type { ChatDependencies } from '../conversations/dependencies.ts'
import { foreignOriginOf } from '../http/request/request-source.ts'
import { flowNoter } from '../http/request-log.ts'
import type { Server } from '../http/types.ts'

/** Characters that a text of a log may have. */
const mostCharacters = 16_384

/** Logs whose details may be any JSON. */
export const LooseClientLogs = Type.Object({
  clientLogs: Type.Array(
    Type.Object({
      status: Type.Optional(StringEnum(['error', 'info', 'success'])),
      description: Type.String(),
      details: Type.Optional(Type.Unknown()),
      context: Type.Optional(Type.Unknown()),
    }),
    { maxItems: 100 },
  ),
})

/** The older way of reporting what went wrong in a client. */
export function looseClientLogs(app: Server, chat: ChatDependencies): void {
  const schema = { params: SessionParams, body: LooseClientLogs }
  app.post('/v1/sessions/:sessionId/clientLogs', { schema }, async (request) => {
    const { id: requestId, params, body, caller } = request
    const named = { sessionId: params.sessionId, caller, origin: foreignOriginOf(request), requestId }
    const asked = { ...named, body: toClientLogs(body), onFlow: flowNoter(request) }
    await saveClientLogs(asked, chat)
    return { message: 'Logs successfully saved.' }
  })
}

/** The same logs as texts, none longer than it may be. */
export function toClientLogs({ clientLogs }: Static<typeof LooseClientLogs>): ClientLogsBody {
  return {
    clientLogs: clientLogs.map(({ status, description, details, context }) => ({
      ...(status && { status }),
      description: description.slice(0, mostCharacters),
      ...(details != null && { details: textOf(details) }),
      ...(context != null && { context: textOf(context) }),
    })),
  }
}

function textOf(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, mostCharacters)
}
