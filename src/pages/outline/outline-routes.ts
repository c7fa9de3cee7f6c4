import { mayChangeResults, requireAdmin } from '../../http/protection/auth.ts'
import type { Server } from '../../http/types.ts'
import { ServiceError } from '../../lib/errors.ts'
import type { NamedToken } from '../../ports/caller.ts'
import type { PublishedFlows } from '../../stores/published-flows.ts'
import { outlineOf } from './flow-outline.ts'

interface Dependencies {
  readonly published: Pick<PublishedFlows, 'byPublicId' | 'list'>
  readonly config: {
    readonly adminTokens: readonly NamedToken[]
    readonly resultTtlMs: number | undefined
  }
}

const schema = { hide: true, security: [{ adminToken: ['results'] }] }

/** Describes flows for `/results`, to who may read results. */
export function addOutlines(app: Server, { published, config }: Dependencies): void {
  requireAdmin(app, config.adminTokens)
  app.get('/results/flows', { schema, config: { narrowsToFlow: true } }, async ({ caller }) => {
    const rights = caller.kind === 'admin' ? caller.rights : undefined
    const flows = (await published.list()).filter(
      ({ publicId }) => rights?.flow === undefined || rights.flow === publicId,
    )
    return {
      flows: flows.map(({ publicId, flow }) => ({ publicId, name: flow.name ?? publicId })),
      mayChange: mayChangeResults(rights),
      ...(config.resultTtlMs !== undefined && { keptSeconds: config.resultTtlMs / 1000 }),
    }
  })
  app.get<{ Params: { publicId: string } }>('/results/flows/:publicId', { schema }, async ({ params }) => {
    const flow = await published.byPublicId(params.publicId)
    if (!flow) throw new ServiceError('NOT_FOUND', 'Flow not found')
    return outlineOf(flow)
  })
}
