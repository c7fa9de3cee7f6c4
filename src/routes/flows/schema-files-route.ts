import type { Server } from '../../http/types.ts'
import { ServiceError } from '../../lib/errors.ts'

/** JSON schemas of the files that authors write, for their editors: they are of the version that runs. */
export function schemaFilesRoute(app: Server): void {
  const options = { schema: { hide: true } }
  app.get<{ Params: { name: string } }>('/schemas/:name', options, async ({ params }, reply) => {
    // Few ask for them.
    const { schemaFile } = await import('../../tooling/schema-files/schema-files.ts')
    const text = schemaFile(params.name)
    if (text === undefined) throw new ServiceError('NOT_FOUND', 'Not found')
    return reply.header('cache-control', 'public, max-age=300').type('application/schema+json').send(text)
  })
}
