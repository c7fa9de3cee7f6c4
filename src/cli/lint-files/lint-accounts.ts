import { readFile } from 'node:fs/promises'
import { readCredentials } from '../../config/credentials/credentials.ts'
import { ConfigError } from '../../lib/config-error.ts'
import type { Credentials } from '../../ports/credentials-port.ts'
import { type Console, UsageError } from '../command.ts'

/** Reads the file of accounts; undefined where none is named. Throws a UsageError for one that can't be used. */
export async function readAccounts(
  file: string | undefined,
  env: Console['env'],
): Promise<Credentials | undefined> {
  if (file === undefined) return undefined
  try {
    return readCredentials(await readFile(file, 'utf8'), env).credentials
  } catch (error) {
    const isAboutFile = error instanceof ConfigError || (error instanceof Error && 'code' in error)
    if (!isAboutFile) throw error
    throw new UsageError(`--credentials ${file}: ${error.message}`)
  }
}
