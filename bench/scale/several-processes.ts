import { loopFlow } from '../flows/published.ts'
import type { Figures, Measurement } from '../measurement.ts'
import { type Mode, startDatabases } from '../support/databases.ts'
import { rounded } from '../support/figures.ts'
import { type Load, loadServer } from '../support/load.ts'
import { startService } from '../support/service.ts'
import { prepareContinueLoad } from '../workloads/stores.ts'

const seconds = 5

/** Turns a second of several processes that share their state, and what the servers spend on each turn. */
export const severalProcesses: Measurement = {
  name: 'stores: several processes',
  async measure({ node }) {
    const figures: Record<string, Figures[string]> = {}
    for (const [mode, processes] of [
      ['PostgreSQL', 1],
      ['Redis and PostgreSQL', 1],
      ['Redis and PostgreSQL', 2],
      ['Redis and PostgreSQL', 4],
    ] as const) {
      figures[`${mode}, processes: ${processes}`] = await measureTurns(mode, { processes, node })
    }
    return figures
  },
}

async function measureTurns(
  mode: Mode,
  { processes, node }: { readonly processes: number; readonly node: string },
): Promise<Figures[string]> {
  const databases = await startDatabases(mode)
  const { variables } = databases
  const services = await Promise.all(
    Array.from({ length: processes }, () => startService([loopFlow], { node, variables, isPinned: false })),
  )
  const loads: Load[] = []
  for (const { address } of services) loads.push(await prepareContinueLoad(address))
  const loadAll = () =>
    Promise.all(services.map((service, at) => loadServer(service, loads[at] as Load, seconds)))
  await loadAll()
  const before = databases.cpuMs()
  const rounds = await loadAll()
  const after = databases.cpuMs()
  for (const service of services) await service.stop()
  await databases.stop()
  const turns = rounds.reduce((sum, { requests }) => sum + requests, 0)
  const ownMs = rounds.reduce((sum, { requests, cpuMicroseconds }) => sum + requests * cpuMicroseconds, 0)
  const spentOf = (name: string) => rounded((1000 * ((after[name] ?? 0) - (before[name] ?? 0))) / turns)
  return {
    'turns/s': rounded(rounds.reduce((sum, { requestsPerSecond }) => sum + requestsPerSecond, 0)),
    'our CPU µs a turn': rounded(ownMs / turns),
    'PostgreSQL µs': spentOf('PostgreSQL'),
    'Redis µs': 'Redis' in after ? spentOf('Redis') : '–',
  }
}
