import { readdirSync } from 'node:fs'
import { join, parse } from 'node:path'
import { runner } from 'node-pg-migrate'
import pg from 'pg'
import { packageRoot } from '../../lib/package-root.ts'

/** Hears of what is done to the schema. */
interface MigrationLog {
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

/** Where connections say who they are, in what the server lists of them. */
export const applicationName = 'flow-runtime'

/** The oldest server that everything here was tried on. */
const oldestServer = 15

const connectMs = 5_000

const folder = join(packageRoot, 'migrations')

/**
 * Brings the schema of a database to the version that this build needs. Several processes may do so at once: one does,
 * the others wait for it. A schema that a later build has changed is warned about, as that one may run beside this one during
 * an update. Rejects in words for a server that cannot be reached, or is too old.
 */
export async function runMigrations(databaseUrl: string, log: MigrationLog): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: applicationName,
    connectionTimeoutMillis: connectMs,
  })
  // A connection that is lost fails the statement that runs, which is enough.
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (error) {
    throw new Error(`The database of DATABASE_URL cannot be reached: ${(error as Error).message}`)
  }
  try {
    await refuseOldServer(client)
    await runner({
      dbClient: client,
      dir: folder,
      direction: 'up',
      migrationsTable: 'schema_migrations',
      // A later build may have added some, and runs beside this one during an update.
      checkOrder: false,
      advisoryLockMode: 'wait',
      logger: quieten(log),
    })
    await warnOfLaterSchema(client, log)
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version')
  const version = rows[0]?.server_version ?? ''
  if (Number.parseInt(version, 10) >= oldestServer) return
  throw new Error(`DATABASE_URL names PostgreSQL ${version}; ${oldestServer} or later is needed`)
}

async function warnOfLaterSchema(client: pg.Client, log: MigrationLog): Promise<void> {
  const known = readdirSync(folder).map((file) => parse(file).name)
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM schema_migrations WHERE name <> ALL($1) ORDER BY name',
    [known],
  )
  if (rows.length === 0) return
  const names = rows.map(({ name }) => name).join(', ')
  log.warn(
    `The database of DATABASE_URL has the schema of a later version of the service (${names}): that is right while an ` +
      'update is under way, and otherwise start that version',
  )
}

/** Says what is done, and nothing when there is nothing to do. */
function quieten(log: MigrationLog) {
  return {
    info: (message: string) => {
      if (message.startsWith('> - ')) log.info(`migrating the database: ${message.slice(4)}`)
    },
    warn: (message: string) => log.warn(message),
    error: (message: string) => log.error(message),
  }
}
