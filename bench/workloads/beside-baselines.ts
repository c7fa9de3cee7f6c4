import type { Json } from '../../test/support/json.ts'
import { startBaseline } from '../support/baselines.ts'
import type { Load } from '../support/load.ts'
import { startService } from '../support/service.ts'
import { bare, plainFastify, type Workload } from './workload.ts'

/** What the service does beside two servers that answer the same bytes without doing anything for them. */
export function besideBaselines(name: string, { flows, variables, prepareLoad }: ServiceLoad): Workload {
  return {
    name,
    async prepare({ node, build }) {
      const service = await startService(flows, { node, build, variables })
      const { load, answer } = await prepareLoad(service.address)
      const bareServer = await startBaseline('bare', answer, { node })
      const fastify = await startBaseline('fastify', answer, { node })
      return {
        candidates: [
          { name: 'service', server: service, load },
          { name: bare, server: bareServer, load },
          { name: plainFastify, server: fastify, load },
        ],
        servers: [service, bareServer, fastify],
      }
    },
  }
}

export interface ServiceLoad {
  readonly flows: readonly Json[]
  /** Of the environment of the service. */
  readonly variables?: Readonly<Record<string, string>>
  /** What is sent to all, and what the service answers to it. */
  prepareLoad(address: string): Promise<{ load: Load; answer: string }>
}
