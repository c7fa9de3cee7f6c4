import { Type } from '../../schemas/type.ts'
import type { ChatDependencies } from '../conversations/dependencies.ts'
import { sessionOfResult } from '../conversations/session/find-result.ts'
import { foreignOriginOf } from '../http/protection/page-access.ts'
import { flowNoter } from '../http/request/request-turn.ts'
import type { Server } from '../http/types.ts'
import { ServiceError } from '../lib/errors.ts'
import type { Uploads } from '../uploads/uploads-service.ts'

const params = Type.Object({ flowId: Type.String(), blockId: Type.String() })
const querystring = Type.Object({ filePath: Type.String(), fileType: Type.Optional(Type.String()) })

interface Dependencies {
  readonly chat: ChatDependencies
  readonly uploads: Uploads
}

/**
 * The oldest offer of an address to upload to. Its clients name a result, send a form to the address, and take for that
 * of the file the same without its query, with their own path behind it.
 */
export function firstUploadUrl(app: Server, { chat, uploads }: Dependencies): void {
  const schema = { params, querystring }
  app.get('/typebots/:flowId/blocks/:blockId/storage/upload-url', { schema }, async (request) => {
    const { params, query, caller, protocol, host } = request
    const { filePath, fileType } = query
    const [, resultId] = /^public\/results\/([^/]+)\//.exec(filePath) ?? []
    if (resultId === undefined) throw new ServiceError('BAD_REQUEST', 'filePath does not name a result')
    const sessionId = await sessionOfResult({ flowId: params.flowId, resultId }, chat)
    const { presignedUrl, fileUrl } = await uploads.offer({
      body: { sessionId, fileName: filePath, ...(fileType !== undefined && { fileType }) },
      caller,
      origin: foreignOriginOf(request),
      ownUrl: `${protocol}://${host}`,
      onFlow: flowNoter(request),
    })
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
