import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../test/support/postgres/postgres-server.ts'

/** Where the service keeps its state. */
export type Mode = 'memory' | 'DATA_DIR' | 'PostgreSQL'

/** What keeps the state of a service in one of its modes, beside its own process. */
export interface Databases {
  /** Of the environment of the service. */
  readonly variables: Readonly<Record<string, string>>
  stop(): Promise<void>
}

/** Starts what a mode needs: durable, as in production. */
export async function startDatabases(mode: Mode): Promise<Databases> {
  if (mode === 'memory') return { variables: {}, stop: async () => undefined }
  if (mode === 'DATA_DIR') {
    const folder = mkdtempSync(join(tmpdir(), 'bench-data-'))
    const stop = async () => rmSync(folder, { recursive: true })
    return { variables: { DATA_DIR: folder }, stop }
  }
  const { url, stop } = await startPostgres({ isDurable: true })
  return { variables: { DATABASE_URL: url }, stop }
}
