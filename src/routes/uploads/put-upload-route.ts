import { Type } from '../../../schemas/type.ts'
import { UploadParams } from '../../../schemas/upload.ts'
import { anyFailures, failures } from '../../http/openapi/response-schemas.ts'
import { disableBodyParsing, rawBody } from '../../http/request/body/raw-body.ts'
import type { Server } from '../../http/types.ts'
import type { Uploads } from '../../uploads/uploads-service.ts'

const bytes = { type: 'string', format: 'binary' }

const schema = {
  operationId: 'putUpload',
  tags: ['Uploads'],
  summary: 'Upload a file',
  description:
    'Takes the bytes of one file, once; the content type does not matter. The address comes from `generateUploadUrl`. It may take as long as 16 KiB come in each minute.',
  params: UploadParams,
  body: { content: { 'application/octet-stream': { schema: bytes } } },
  response: {
    204: Type.Null({ description: 'The file is kept' }),
    ...failures(
      ...anyFailures,
      'FORBIDDEN',
      'REQUEST_TIMEOUT',
      'CONFLICT',
      'PAYLOAD_TOO_LARGE',
      'TOO_MANY_REQUESTS',
    ),
  },
}

/** An upload (docs/api.md, "Uploads"). Its body is read and checked where it is stored. */
export function putUploadRoute(app: Server, { uploads }: { readonly uploads: Uploads }): void {
  app.register(async (scope: Server) => {
    disableBodyParsing(scope)
    const config = { arrivesSlowly: true } as const
    const route = { schema, config, validatorCompiler: () => () => true }
    scope.put('/uploads/:token', route, async (request, reply) => {
      await uploads.receive((request.params as { token: string }).token, rawBody(request))
      return reply.code(204).send(null)
    })
  })
}
