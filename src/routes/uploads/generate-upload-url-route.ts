import { GenerateUploadUrlBody, GenerateUploadUrlResponse } from '../../../schemas/upload.ts'
import { bodyFailures, failures, json, success } from '../../http/openapi/response-schemas.ts'
import { foreignOriginOf } from '../../http/request/request-source.ts'
import { flowNoter } from '../../http/request-log.ts'
import type { Server } from '../../http/types.ts'
import type { Uploads } from '../../uploads/uploads-service.ts'

const schema = {
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
  app.post('/v3/generate-upload-url', { schema }, async (request, reply) => {
    const { body, caller, protocol, host } = request
    const onFlow = flowNoter(request)
    const ownUrl = `${protocol}://${host}`
    const origin = foreignOriginOf(request)
    const offer = await uploads.offer({ body, caller, origin, ownUrl, onFlow, mayGoDirect: true })
    return reply.type(json).send(JSON.stringify(offer))
  })
}
