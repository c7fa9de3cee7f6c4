import { UploadedFileParams } from '../../schemas/upload.ts'
import type { Uploads } from '../chat/uploads.ts'
import { failures } from '../http/answers.ts'
import { sendFile } from '../http/send-file.ts'
import type { Server } from '../http/server-type.ts'

const content = { '*/*': { schema: { type: 'string', format: 'binary' } } }

const schema = {
  operationId: 'getUpload',
  tags: ['Uploads'],
  summary: 'Read an uploaded file',
  description: 'Pictures and recordings can be shown where they lie; browsers save everything else.',
  params: UploadedFileParams,
  response: {
    200: { description: 'The file', content },
    206: { description: 'The part of the file that the `Range` header asks for', content },
    ...failures('BAD_REQUEST', 'NOT_FOUND', 'INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE'),
  },
}

const privateSchema = {
  ...schema,
  operationId: 'getPrivateUpload',
  summary: 'Read a private uploaded file',
  security: [{ adminToken: [] }],
  response: { ...schema.response, ...failures('UNAUTHORIZED', 'FORBIDDEN') },
}

const routes = [
  { url: '/uploads/:owner/:name', schema, isPrivate: false },
  { url: '/uploads/private/:owner/:name', schema: privateSchema, isPrivate: true },
]

/** Uploaded files (docs/api.md, "Uploads"). */
export function getUpload(app: Server, { uploads }: { readonly uploads: Uploads }): void {
  for (const { url, schema, isPrivate } of routes) {
    // HEAD comes first, as the framework would else answer it by reading the whole file.
    for (const method of ['HEAD', 'GET'] as const) {
      app.route({
        method,
        url,
        schema,
        async handler(request, reply) {
          const place = { ...request.params, isPrivate }
          const file = await uploads.open({ ...place, authorization: request.headers.authorization })
          return sendFile({ ...place, ...file }, request, reply)
        },
      })
    }
  }
}
