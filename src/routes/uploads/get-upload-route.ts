import { Type } from '../../../schemas/type.ts'
import { UploadedFileParams } from '../../../schemas/upload.ts'
import { anyFailures, failures } from '../../http/openapi/response-schemas.ts'
import { requireAdmin } from '../../http/protection/auth.ts'
import { refuseUnknownQueries } from '../../http/request/queries.ts'
import { sendFile } from '../../http/response/send-file.ts'
import type { Server } from '../../http/types.ts'
import type { NamedToken } from '../../ports/caller.ts'
import type { Uploads } from '../../uploads/uploads-service.ts'

const content = { '*/*': { schema: { type: 'string', format: 'binary' } } }

const acceptRanges = Type.Literal('bytes')

const contentRange = Type.String({
  description: 'The first and the last byte of the part, and how many the file has',
  examples: ['bytes 0-1023/48213'],
})

const schema = {
  operationId: 'getUpload',
  tags: ['Uploads'],
  summary: 'Read an uploaded file',
  description: 'Pictures and recordings can be shown where they lie; browsers save everything else.',
  params: UploadedFileParams,
  headers: Type.Object({
    range: Type.Optional(
      Type.String({
        description: 'One part of the file; the whole is the answer to what asks for anything else',
        examples: ['bytes=0-1023', 'bytes=-500'],
      }),
    ),
  }),
  response: {
    200: { description: 'The file', headers: { 'accept-ranges': acceptRanges }, content },
    206: {
      description: 'The part of the file that the `Range` header asks for',
      headers: { 'accept-ranges': acceptRanges, 'content-range': contentRange },
      content,
    },
    ...failures(...anyFailures, 'NOT_FOUND'),
  },
}

const privateSchema = {
  ...schema,
  operationId: 'getPrivateUpload',
  summary: 'Read a private uploaded file',
  security: [{ adminToken: ['results'] }],
  response: { ...schema.response, ...failures('UNAUTHORIZED', 'FORBIDDEN') },
}

const routes = [
  { url: '/uploads/:owner/:name', schema, isPrivate: false },
  { url: '/uploads/private/:owner/:name', schema: privateSchema, isPrivate: true },
]

interface Dependencies {
  readonly uploads: Uploads
  /** Without any, private files are not served. */
  readonly adminTokens: readonly NamedToken[]
}

/** Uploaded files (docs/api.md, "Uploads"). */
export function getUploadRoute(app: Server, { uploads, adminTokens }: Dependencies): void {
  for (const route of routes) {
    app.register(async (scope: Server) => {
      if (route.isPrivate) {
        requireAdmin(scope, adminTokens)
        refuseUnknownQueries(scope)
      }
      addRoute(scope, route, uploads)
    })
  }
}

function addRoute(app: Server, { url, schema, isPrivate }: (typeof routes)[number], uploads: Uploads): void {
  // HEAD comes first, as the framework would else answer it by reading the whole file.
  for (const method of ['HEAD', 'GET'] as const) {
    app.route({
      method,
      url,
      schema,
      async handler(request, reply) {
        const place = { ...request.params, isPrivate }
        const file = await uploads.open(place)
        return sendFile({ ...place, ...file }, request, reply)
      },
    })
  }
}
