import type { StartPreviewChatBody as PreviewBody } from '../../schemas/start-chat.ts'
import {
  StartChatBody,
  StartChatParams,
  StartPreviewChatBody,
  StartPreviewChatParams,
} from '../../schemas/start-chat.ts'
import type { ChatDependencies } from '../conversations/dependencies.ts'
import { startPreviewChat } from '../conversations/start/start-preview-chat.ts'
import { startPublishedChat } from '../conversations/start/start-published-chat.ts'
import { contentHash } from '../definition/content-hash.ts'
import { readIdempotencyKey } from '../http/request/request-conditions.ts'
import { addressOf, foreignOriginOf } from '../http/request/request-source.ts'
import { requestLogOf } from '../http/request-log.ts'
import { sendJson } from '../http/response/send-json.ts'
import type { Server } from '../http/types.ts'
import type { ByteString } from '../lib/byte-string.ts'
import type { RawJsonBody } from '../ports/raw-json-body.ts'

/** The start of a published flow. */
export function startTypebot(app: Server, chat: ChatDependencies): void {
  const schema = { params: StartChatParams, body: StartChatBody }
  app.post('/v1/typebots/:publicId/startChat', { schema }, async (request, reply) => {
    const { params, body } = request
    const asked = {
      publicId: params.publicId,
      origin: foreignOriginOf(request),
      address: addressOf(request),
      acceptLanguage: request.headers['accept-language'],
      body,
      idempotency: readIdempotencyKey(request, reply),
      requestLog: requestLogOf(request),
    }
    sendJson(reply, asTypebot(await startPublishedChat(asked, chat)))
  })
}

interface PreviewDependencies {
  readonly chat: ChatDependencies
  /** Bytes of a body, which may hold a definition. */
  readonly bodyLimit: number
}

/** The start of a preview: `typebot` is a definition, or the id of a published flow in place of that of the path. */
export function startTypebotPreview(app: Server, { chat, bodyLimit }: PreviewDependencies): void {
  const schema = { params: StartPreviewChatParams, body: StartPreviewChatBody }
  app.post('/v1/typebots/:flowId/preview/startChat', { schema, bodyLimit }, async (request, reply) => {
    const { params, body, caller } = request
    const { flowId, ...preview } = toPreview(body, params.flowId)
    const idempotency = readIdempotencyKey(request, reply)
    const acceptLanguage = request.headers['accept-language']
    const requestLog = requestLogOf(request)
    const asked = { flowId, caller, acceptLanguage, ...preview, idempotency, requestLog }
    sendJson(reply, asTypebot(await startPreviewChat(asked, chat)))
  })
}

/** A preview's start in terms of the native API. */
interface Preview {
  readonly flowId: string
  readonly body: PreviewBody
  readonly sentBody: RawJsonBody | undefined
}

/** The preview that a body asks for which has its definition, or the id of a flow, in `typebot`. */
export function toPreview(sent: PreviewBody & { readonly typebot?: unknown }, flowId = ''): Preview {
  const { typebot, flow: _flow, findings: _findings, ...body } = sent
  if (typeof typebot !== 'object' || typebot === null)
    return { flowId: typeof typebot === 'string' ? typebot : flowId, body, sentBody: undefined }
  // Drafts are remembered by the text of a body of the native API.
  const text = JSON.stringify({ flow: typebot })
  return {
    flowId,
    body: { ...body, flow: typebot },
    sentBody: { name: contentHash(text), text, draft: undefined },
  }
}

/**
 * Names the flow of a start response as these clients do. Only ids stand before it, and a quote inside one is escaped: the
 * first that looks like the key is the key.
 */
export function asTypebot(answer: ByteString): ByteString {
  return answer.replace(',"flow":{', ',"typebot":{') as ByteString
}
