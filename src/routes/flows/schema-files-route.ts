import type { TSchema } from '@sinclair/typebox'
import { etagOf } from '../../http/request/request-conditions.ts'
import type { Server } from '../../http/types.ts'
import { ServiceError } from '../../lib/errors.ts'

interface SchemaFile {
  readonly text: string
  readonly etag: string
}

/** JSON schemas of the files that authors write, for their editors: they are of the version that runs. */
export function schemaFilesRoute(app: Server, ownBlockSchemas: readonly TSchema[]): void {
  // Writing the largest takes tens of milliseconds.
  const written = new Map<string, SchemaFile>()
  const options = { schema: { hide: true } }
  app.get<{ Params: { name: string } }>('/schemas/:name', options, async ({ params, headers }, reply) => {
    const { text, etag } = written.get(params.name) ?? (await write(params.name, ownBlockSchemas))
    written.set(params.name, { text, etag })
    reply.headers({ 'cache-control': 'public, max-age=300', etag })
    if (headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.type('application/schema+json').send(text)
  })
}

/** Throws NOT_FOUND for a name that is none of them. */
async function write(name: string, own: readonly TSchema[]): Promise<SchemaFile> {
  // Few ask for them.
  const { schemaFile } = await import('../../tooling/schema-files/schema-files.ts')
  const text = schemaFile(name, own)
  if (text === undefined) throw new ServiceError('NOT_FOUND', 'Not found')
  return { text, etag: etagOf(text) }
}
