import type { Static } from '@sinclair/typebox'
import { Type } from '../../schemas/type.ts'
import { continueChat } from '../conversations/continue/continue-chat.ts'
import { saveClientLogs } from '../conversations/continue/save-client-logs.ts'
import type { ChatDependencies } from '../conversations/dependencies.ts'
import { startPreviewChat } from '../conversations/start/start-preview-chat.ts'
import { startPublishedChat } from '../conversations/start/start-published-chat.ts'
import { authenticationRequired } from '../http/protection/auth.ts'
import { addressOf, foreignOriginOf } from '../http/request/request-source.ts'
import { flowNoter, requestLogOf } from '../http/request-log.ts'
import { sendJson } from '../http/response/send-json.ts'
import type { Server } from '../http/types.ts'
import type { ByteString } from '../lib/byte-string.ts'
import { ServiceError, tooManyHeavy } from '../lib/errors.ts'
import type { Caller } from '../ports/caller.ts'
import type { HeavyTurns } from '../ports/load-port.ts'
import type { RequestLog } from '../ports/request-log-port.ts'
import { LooseClientLogs, toClientLogs } from './client-logs-v1-route.ts'
import { withEmptyLists } from './compat-answers.ts'
import { asTypebot, toPreview } from './start-routes.ts'
import { withoutFilePaths } from './upload-url-routes.ts'

const text = Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] }))
const flag = Type.Optional(Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] }))

const StartParams = Type.Object({
  typebot: Type.Optional(Type.Unknown()),
  publicId: text,
  isPreview: flag,
  resultId: text,
  prefilledVariables: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: 'object' })),
  isOnlyRegistering: flag,
  startGroupId: text,
  startEventId: text,
})
type StartParams = Static<typeof StartParams>

const SendMessageBody = Type.Object({
  sessionId: text,
  message: text,
  startParams: Type.Optional(StartParams),
  clientLogs: Type.Optional(LooseClientLogs.properties.clientLogs),
})
type SendMessageBody = Static<typeof SendMessageBody>

interface Dependencies {
  readonly chat: ChatDependencies
  readonly heavyPreviews: HeavyTurns
  readonly config: { readonly previewToken: string | undefined }
}

/** A message with what is known of its sender. */
interface MessageCall {
  readonly body: SendMessageBody
  readonly caller: Caller
  readonly origin: string | undefined
  readonly address: string
  readonly acceptLanguage: string | undefined
  readonly requestLog: RequestLog
}

/** The older pair of routes: one address that starts a conversation, and goes on with it. */
export function sendMessage(app: Server, deps: Dependencies): void {
  const schema = { body: SendMessageBody }
  for (const version of ['v1', 'v2']) {
    app.post(`/${version}/sendMessage`, { schema }, async (request, reply) => {
      const { body, caller } = request
      const origin = foreignOriginOf(request)
      const { sessionId, clientLogs } = body
      if (sessionId && clientLogs && clientLogs.length > 0) {
        const named = { sessionId, caller, origin, requestId: request.id, onFlow: flowNoter(request) }
        const reported = { ...named, body: toClientLogs({ clientLogs }) }
        await saveClientLogs(reported, deps.chat).catch(ignoreUnkept)
      }
      const acceptLanguage = request.headers['accept-language']
      const requestLog = requestLogOf(request)
      const sent = { body, caller, origin, address: addressOf(request), acceptLanguage, requestLog }
      sendJson(reply, withEmptyLists(await answerMessage(sent, deps)))
    })
  }
}

/** Client logs of a preview or of an ended conversation, and those above the bound, are dropped. */
function ignoreUnkept(error: unknown): void {
  const isUnkept =
    error instanceof ServiceError && (error.code === 'NOT_FOUND' || error.code === 'TOO_MANY_REQUESTS')
  if (!isUnkept) throw error
}

async function answerMessage(sent: MessageCall, deps: Dependencies): Promise<ByteString> {
  const { body, caller, origin, requestLog } = sent
  const { sessionId, startParams } = body
  if (!sessionId) return startWith(startParams, sent, deps)
  try {
    const asked = { sessionId, caller, origin, requestLog, body: messageOf(body) }
    return await continueChat(asked, deps.chat)
  } catch (error) {
    if (!isUnknownSession(error)) throw error
    return startWith(startParams, sent, deps)
  }
}

/** One that was there is over: a client has to know, and starts anew. */
function isUnknownSession(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'NOT_FOUND' && error.extension?.reason === 'unknown'
}

async function startWith(
  params: StartParams | undefined,
  { body, caller, origin, address, acceptLanguage, requestLog }: MessageCall,
  deps: Dependencies,
): Promise<ByteString> {
  if (!params) throw new ServiceError('BAD_REQUEST', 'Missing startParams')
  const start = { ...messageOf(body), ...startOf(params) }
  const publicId = params.publicId ?? params.typebot
  if (params.isPreview !== true && typeof publicId === 'string') {
    const { resultId } = params
    const visitor = typeof resultId === 'string' ? { ...start, resultId } : start
    return asTypebot(
      await startPublishedChat(
        { publicId, origin, address, acceptLanguage, requestLog, body: visitor },
        deps.chat,
      ),
    )
  }
  const { typebot } = params
  admitPreview(caller, deps)
  const preview = toPreview({ ...start, ...startFromOf(params), typebot })
  return asTypebot(await startPreviewChat({ ...preview, caller, acceptLanguage, requestLog }, deps.chat))
}

/** Previews come to this address among other requests, so that what they need is asked for here. */
function admitPreview(caller: Caller, { config, heavyPreviews }: Dependencies): void {
  if (caller.kind !== 'anonymous') return
  if (config.previewToken !== undefined) throw authenticationRequired()
  if (!heavyPreviews.admit('start')) throw tooManyHeavy()
}

function messageOf({ message }: SendMessageBody): { message?: string } {
  return typeof message === 'string' ? { message: withoutFilePaths(message) } : {}
}

/** Without `isStreamEnabled`: widgets that send it here show nothing of a stream, and get answers of models whole. */
function startOf({ prefilledVariables, isOnlyRegistering }: StartParams) {
  return {
    ...(prefilledVariables && { prefilledVariables }),
    ...(isOnlyRegistering && { isOnlyRegistering }),
  }
}

function startFromOf({ startGroupId, startEventId }: StartParams) {
  if (startEventId) return { startFrom: { type: 'event', eventId: startEventId } as const }
  if (startGroupId) return { startFrom: { type: 'group', groupId: startGroupId } as const }
  return {}
}
