import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, inject } from 'vitest'
import { runMigrations } from '../../../src/stores/postgres/run-migrations.ts'

/** An id that can't be written: no index takes one that is so long. */
export const unstorableId = randomBytes(10_000).toString('hex')

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

/**
 * Groups tests that need PostgreSQL. Where none is installed they are skipped by name, or fail where all services are
 * asked for.
 */
export function describeWithPostgres(name: string, tests: (serverUrl: string) => void): void {
  const url = inject('postgresUrl')
  if (url !== undefined) {
    describe(name, () => tests(url))
    return
  }
  if (process.env['REQUIRE_SERVICES'] === '1') throw new Error(`postgres is not installed: ${name}`)
  process.stderr.write(`skipped, as postgres is not installed: ${name}\n`)
  describe.skip(`${name} (postgres is not installed)`, () => tests(''))
}

/** Runs a statement on a connection of its own. */
export async function execute(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}

/** Gives each file that calls it a database of its own, with the schema unless that is left out; its address. */
export function useDatabase(serverUrl: string, { isMigrated = true } = {}): () => string {
  const name = `test_${randomBytes(6).toString('hex')}`
  beforeAll(async () => {
    await execute(serverUrl, `CREATE DATABASE ${name}`)
    if (isMigrated) await runMigrations(address(), quiet)
  })
  afterAll(() => execute(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
  const address = () => {
    const url = new URL(serverUrl)
    url.pathname = `/${name}`
    return url.href
  }
  return address
}

/** Erases all rows. */
export async function emptyDatabase(url: string): Promise<void> {
  await execute(
    url,
    `DO $$ DECLARE name text; BEGIN
       FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_migrations'
       LOOP EXECUTE format('DELETE FROM %I', name); END LOOP;
     END $$`,
  )
}
