import { loopFlow, prefilled, staticFlow } from '../flows/published.ts'
import { type Databases, type Mode, startDatabases } from '../support/databases.ts'
import type { Load } from '../support/load.ts'
import type { PinnedProcess } from '../support/pinned-process.ts'
import { post } from '../support/post.ts'
import { startService } from '../support/service.ts'
import type { Workload } from './workload.ts'

const connections = 32

const modes: readonly Mode[] = ['DATA_DIR', 'Redis and PostgreSQL', 'PostgreSQL']

/** What it costs to keep state elsewhere than in memory. */
export const storeWorkloads: readonly Workload[] = modes.flatMap((mode) => [
  besideMemory('start', { mode, prepareLoad: async () => startLoad }),
  besideMemory('continue', { mode, prepareLoad: prepareContinueLoad }),
])

interface StoreLoad {
  readonly mode: Mode
  prepareLoad(address: string): Promise<Load>
}

function besideMemory(what: string, { mode, prepareLoad }: StoreLoad): Workload {
  return {
    name: `stores: ${what}, ${mode}`,
    async prepare({ node, build }) {
      const started: PinnedProcess[] = []
      const candidates = []
      for (const each of [mode, 'memory'] as const) {
        const databases = await startDatabases(each)
        const { variables } = databases
        const service = await startService([staticFlow, loopFlow], { node, build, variables })
        const server = withDatabases(service, databases)
        started.push(server)
        candidates.push({ name: each, server, load: await prepareLoad(server.address) })
      }
      return { candidates, servers: started }
    },
  }
}

function withDatabases(service: PinnedProcess, databases: Databases): PinnedProcess {
  return {
    ...service,
    async stop() {
      await service.stop()
      await databases.stop()
    },
  }
}

/** Visitors who bring something along, so that each start is walked and kept. */
const startLoad: Load = {
  connections,
  requests: () => [
    { path: `/v1/flows/${staticFlow['publicId']}/startChat`, body: JSON.stringify(prefilled) },
  ],
}

/** Sessions of each connection, which take turns. */
const sessionsEach = 32

/** Starts conversations, and continues each of them in its turn. */
async function prepareContinueLoad(address: string): Promise<Load> {
  const body = JSON.stringify({ message: 'Analytical Engines' })
  const paths: string[] = []
  while (paths.length < connections * sessionsEach) {
    const answer = await post(address, `/v1/flows/${loopFlow['publicId']}/startChat`, {})
    paths.push(`/v1/sessions/${JSON.parse(answer).sessionId}/continueChat`)
  }
  return {
    connections,
    requests: (connection) =>
      paths.slice(connection * sessionsEach, (connection + 1) * sessionsEach).map((path) => ({ path, body })),
  }
}
