import { onTestFinished } from 'vitest'
import { PostgresDatabase } from '../../../src/stores/postgres/postgres-database.ts'
import { emptyDatabase } from './postgres-tests.ts'

const silent = { error: () => undefined, warn: () => undefined, info: () => undefined }

/** Connects to a database for as long as the test runs. */
export function connect(databaseUrl: string): PostgresDatabase {
  const database = new PostgresDatabase({ databaseUrl, maxConnections: 4, report: silent })
  onTestFinished(() => database.close())
  return database
}

/** Connects to a database that is emptied first. */
export async function connectEmpty(databaseUrl: string): Promise<PostgresDatabase> {
  await emptyDatabase(databaseUrl)
  return connect(databaseUrl)
}
