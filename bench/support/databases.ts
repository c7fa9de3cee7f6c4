import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../test/support/postgres/postgres-server.ts'
import { startRedisServer } from '../../test/support/redis-server.ts'
import { cpuMsOf } from './pinned-process.ts'

/** Where the service keeps its state. */
export type Mode = 'memory' | 'DATA_DIR' | 'PostgreSQL' | 'Redis and PostgreSQL'

/** What keeps the state of a service in one of its modes, beside its own process. */
export interface Databases {
  /** Of the environment of the service. */
  readonly variables: Readonly<Record<string, string>>
  /** Time that the servers have spent, in milliseconds, by name. */
  cpuMs(): Readonly<Record<string, number>>
  stop(): Promise<void>
}

/** Starts what a mode needs: durable, as in production. */
export async function startDatabases(mode: Mode): Promise<Databases> {
  if (mode === 'memory') return { variables: {}, cpuMs: () => ({}), stop: async () => undefined }
  if (mode === 'DATA_DIR') {
    const folder = mkdtempSync(join(tmpdir(), 'bench-data-'))
    const stop = async () => rmSync(folder, { recursive: true })
    return { variables: { DATA_DIR: folder }, cpuMs: () => ({}), stop }
  }
  const postgres = await startPostgres({ isDurable: true })
  const redis = mode === 'PostgreSQL' ? undefined : await startRedisServer()
  return {
    variables: { DATABASE_URL: postgres.url, ...(redis && { REDIS_URL: redis.url }) },
    cpuMs: () => ({
      PostgreSQL: cpuMsOfFamily(postgres.child.pid as number),
      ...(redis && { Redis: cpuMsOf(redis.pid) }),
    }),
    async stop() {
      await redis?.close()
      await postgres.stop()
    },
  }
}

/** Of a process and of those that it has started. */
function cpuMsOfFamily(parent: number): number {
  const family = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && parentOf(pid) === parent)
  return [parent, ...family.map(Number)].reduce((sum, pid) => sum + (isAlive(pid) ? cpuMsOf(pid) : 0), 0)
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}

const isAlive = (pid: number) => parentOf(String(pid)) !== undefined
