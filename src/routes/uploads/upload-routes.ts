import { Type } from '../../../schemas/type.ts'
import { GenerateUploadUrlBody, GenerateUploadUrlResponse, UploadParams } from '../../../schemas/upload.ts'
import { anyFailures, bodyFailures, failures, json, success } from '../../http/openapi/response-schemas.ts'
import { disableBodyParsing, rawBody } from '../../http/request/body/raw-body.ts'
import { foreignOriginOf } from '../../http/request/request-source.ts'
import { flowNoter } from '../../http/request-log.ts'
import type { Server } from '../../http/types.ts'
import type { Uploads } from '../../uploads/uploads-service.ts'

const offerSchema = {
  operationId: 'generateUploadUrl',
  tags: ['Uploads'],
  summary: 'Get an address to upload a file to',
  description:
    'For the input that the session waits at: a file input, or a text input that takes attachments or recordings. The reply then says where the file lies.',
  body: GenerateUploadUrlBody,
  response: {
    ...success('Where to upload, and where the file will be', GenerateUploadUrlResponse),
    ...failures(...bodyFailures, 'FORBIDDEN', 'TOO_MANY_REQUESTS'),
  },
}

/** The way to an upload (docs/api.md, "Uploads"). */
export function generateUploadUrlRoute(app: Server, { uploads }: { readonly uploads: Uploads }): void {
  app.post('/v3/generate-upload-url', { schema: offerSchema }, async (request, reply) => {
    const { body, caller, protocol, host } = request
    const onFlow = flowNoter(request)
    const ownUrl = `${protocol}://${host}`
    const origin = foreignOriginOf(request)
    const offer = await uploads.offer({ body, caller, origin, ownUrl, onFlow, mayGoDirect: true })
    return reply.type(json).send(JSON.stringify(offer))
  })
}

const bytes = { type: 'string', format: 'binary' }

const putSchema = {
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
    const route = { schema: putSchema, config, validatorCompiler: () => () => true }
    scope.put('/uploads/:token', route, async (request, reply) => {
      await uploads.receive((request.params as { token: string }).token, rawBody(request))
      return reply.code(204).send(null)
    })
  })
}
