import type { TestProject } from 'vitest/node'
import { findPostgres, startPostgres } from '../support/postgres/postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of a server; undefined where none is installed. */
    readonly postgresUrl: string | undefined
  }
}

/**
 * Starts one PostgreSQL for all files that need it, unless TEST_DATABASE_URL names one whose tests may create databases.
 */
export async function setup({ provide }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env['TEST_DATABASE_URL']
  if (given !== undefined || findPostgres() === undefined) {
    provide('postgresUrl', given)
    return undefined
  }
  // One that comes between two statements would have the second planned for what tables held then.
  const { url, stop } = await startPostgres({ isVacuumed: false })
  provide('postgresUrl', url)
  return stop
}
