import { Type } from '../../schemas/type.ts'
import { GenerateUploadUrlBody } from '../../schemas/upload.ts'
import type { ChatDependencies } from '../conversations/dependencies.ts'
import { sessionOfResult } from '../conversations/session/find-result.ts'
import { foreignOriginOf } from '../http/request/request-source.ts'
import { flowNoter } from '../http/request-log.ts'
import type { Server } from '../http/types.ts'
import { ServiceError } from '../lib/errors.ts'
import type { Uploads } from '../uploads/uploads-service.ts'

const FirstBody = Type.Object({
  filePathProps: Type.Object({
    sessionId: Type.Optional(Type.String()),
    typebotId: Type.Optional(Type.String()),
    resultId: Type.Optional(Type.String()),
    fileName: Type.Optional(Type.String()),
  }),
  fileType: Type.Optional(Type.String()),
})

interface Dependencies {
  readonly chat: ChatDependencies
  readonly uploads: Uploads
}

/** An offer of an address, for what a request of any of these routes says about its caller. */
function offerFor(request: Parameters<typeof flowNoter>[0], body: GenerateUploadUrlBody, uploads: Uploads) {
  const { caller, protocol, host } = request
  const ownUrl = `${protocol}://${host}`
  return uploads.offer({ body, caller, origin: foreignOriginOf(request), ownUrl, onFlow: flowNoter(request) })
}

/** The two older offers of an address to upload to; they differ in how the session is named. */
export function olderUploadUrls(app: Server, { chat, uploads }: Dependencies): void {
  app.post('/v2/generate-upload-url', { schema: { body: GenerateUploadUrlBody } }, (request) =>
    offerFor(request, request.body, uploads),
  )
  app.post('/v1/generate-upload-url', { schema: { body: FirstBody } }, async (request) => {
    const { filePathProps, fileType } = request.body
    const { typebotId: flowId, resultId, fileName } = filePathProps
    const ofResult = flowId !== undefined && resultId !== undefined
    const sessionId =
      filePathProps.sessionId ?? (ofResult ? await sessionOfResult({ flowId, resultId }, chat) : '')
    const named = { ...(fileName !== undefined && { fileName }), ...(fileType !== undefined && { fileType }) }
    return offerFor(request, { sessionId, ...named }, uploads)
  })
}

const params = Type.Object({ flowId: Type.String(), blockId: Type.String() })
const querystring = Type.Object({ filePath: Type.String(), fileType: Type.Optional(Type.String()) })

/**
 * The oldest offer of an address to upload to. Its clients name a result, send a form to the address, and take for that
 * of the file the same without its query, with their own path behind it.
 */
export function firstUploadUrl(app: Server, { chat, uploads }: Dependencies): void {
  const schema = { params, querystring }
  app.get('/typebots/:flowId/blocks/:blockId/storage/upload-url', { schema }, async (request) => {
    const { filePath, fileType } = request.query
    const [, resultId] = /^public\/results\/([^/]+)\//.exec(filePath) ?? []
    if (resultId === undefined) throw new ServiceError('BAD_REQUEST', 'filePath does not name a result')
    const sessionId = await sessionOfResult({ flowId: request.params.flowId, resultId }, chat)
    const body = { sessionId, fileName: filePath, ...(fileType !== undefined && { fileType }) }
    const { presignedUrl, fileUrl } = await offerFor(request, body, uploads)
    const token = presignedUrl.slice(presignedUrl.lastIndexOf('/') + 1)
    return { presignedUrl: { url: `${fileUrl}?token=${token}`, fields: {} }, hasReachedStorageLimit: false }
  })
}

/** A message without what these clients put behind the address of a file: the name that it had, whatever is in it. */
export function withoutFilePaths(message: string): string {
  return message.replace(
    /(\/uploads\/(?:private\/)?[\da-f]{32}\/[\w-]{1,64}\.[\da-z]{1,4})\/public\/results\/.*?(?=, https?:\/\/|$)/gs,
    '$1',
  )
}
