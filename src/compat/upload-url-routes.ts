import { Type } from '../../schemas/type.ts'
import { GenerateUploadUrlBody } from '../../schemas/upload.ts'
import type { ChatDependencies } from '../conversations/dependencies.ts'
import { sessionOfResult } from '../conversations/session/find-result.ts'
import { foreignOriginOf } from '../http/protection/page-access.ts'
import { flowNoter } from '../http/request/request-turn.ts'
import type { Server } from '../http/types.ts'
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

/** The two older offers of an address to upload to; they differ in how the session is named. */
export function olderUploadUrls(app: Server, { chat, uploads }: Dependencies): void {
  const offer = (request: Parameters<typeof flowNoter>[0], body: GenerateUploadUrlBody) => {
    const { caller, protocol, host } = request
    const ownUrl = `${protocol}://${host}`
    return uploads.offer({
      body,
      caller,
      origin: foreignOriginOf(request),
      ownUrl,
      onFlow: flowNoter(request),
    })
  }
  app.post('/v2/generate-upload-url', { schema: { body: GenerateUploadUrlBody } }, (request) =>
    offer(request, request.body),
  )
  app.post('/v1/generate-upload-url', { schema: { body: FirstBody } }, async (request) => {
    const { filePathProps, fileType } = request.body
    const { typebotId: flowId, resultId, fileName } = filePathProps
    const ofResult = flowId !== undefined && resultId !== undefined
    const sessionId =
      filePathProps.sessionId ?? (ofResult ? await sessionOfResult({ flowId, resultId }, chat) : '')
    return offer(request, {
      sessionId,
      ...(fileName !== undefined && { fileName }),
      ...(fileType !== undefined && { fileType }),
    })
  })
}
