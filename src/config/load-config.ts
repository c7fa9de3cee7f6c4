import { readFile, stat } from 'node:fs/promises'
import type { ChannelBody } from '../../schemas/channels.ts'
import { type AllowList, parseAllowList } from '../adapters/http-client/egress/allow-list.ts'
import { ConfigError } from '../lib/config-error.ts'
import type { Credentials } from '../ports/credentials-port.ts'
import type { Config } from './config.ts'
import { readChannelsFile } from './credentials/channels-file.ts'
import { readCredentials } from './credentials/credentials.ts'
import { readSecretFiles } from './credentials/secret-files.ts'
import { readConfig, withoutEmpty } from './read-config.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** Addresses and accounts outside of the service that flows may use, and messengers that they are held on. */
export interface Reach {
  readonly allow: AllowList
  readonly credentials: Credentials
  /** Those of CHANNELS_FILE, by their names. */
  readonly channels: ReadonlyMap<string, ChannelBody>
  /** Accounts that were left out, and files that others may read, for the operator. */
  readonly warnings: readonly string[]
}

/** All that the service is started with. */
export interface LoadedConfig {
  /** Reads the same again; undefined where tokens of operators come from no file. */
  readonly reread?: (() => Promise<LoadedConfig>) | undefined
  readonly config: Config
  readonly reach: Reach
}

/** Reads the environment and the credentials file. Throws ConfigError with everything that is wrong with either. */
export async function loadConfig(given: Variables): Promise<LoadedConfig> {
  const problems: string[] = []
  const { variables: found, files } = await readSecretFiles(given, problems)
  if (problems.length > 0) throw new ConfigError(problems)
  const variables = withoutEmpty(found)
  const config = attempt(() => readConfig(variables), problems)
  // A mistake in the text of a variable is reported once.
  const named = new Set(problems.map(variableIn))
  const further: string[] = []
  const reach = await readReach(variables, further)
  problems.push(...further.filter((problem) => !named.has(variableIn(problem))))
  if (!config || !reach || problems.length > 0) throw new ConfigError(namingFiles(problems, files))
  const reread = files.has('ADMIN_TOKENS') ? () => loadConfig(given) : undefined
  return { config, reach, reread }
}

/** Problems with the file of each variable that comes from one: there it is mended. */
function namingFiles(problems: readonly string[], files: ReadonlyMap<string, string>): string[] {
  return problems.map((problem) => {
    const name = variableIn(problem) ?? ''
    const path = files.get(name)
    return path === undefined
      ? problem
      : `${problem}; it is read from ${JSON.stringify(path)}, by ${name}_FILE`
  })
}

async function readReach(variables: Variables, problems: string[]): Promise<Reach | undefined> {
  const allow = attempt(() => parseAllowList(variables['OUTBOUND_ALLOW'] ?? ''), problems, 'OUTBOUND_ALLOW: ')
  const file = await readText('CREDENTIALS_FILE', variables, problems)
  const accounts = attempt(() => readCredentials(file, variables), problems)
  const channelsFile = await readText('CHANNELS_FILE', variables, problems)
  const channels = attempt(() => readChannelsFile(channelsFile), problems)
  const readable = await Promise.all(
    ['CREDENTIALS_FILE', 'DATA_DIR'].map((name) => warnOfReaders(name, variables[name])),
  )
  if (!allow || !accounts || !channels) return undefined
  return { allow, ...accounts, channels, warnings: [...accounts.warnings, ...readable.flat()] }
}

async function readText(
  name: 'CREDENTIALS_FILE' | 'CHANNELS_FILE',
  variables: Variables,
  problems: string[],
): Promise<string | undefined> {
  const path = variables[name]
  if (path === undefined) return undefined
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    problems.push(`${name} cannot be read (${(error as NodeJS.ErrnoException).code})`)
    return undefined
  }
}

/** Notes what is wrong, each in a line that begins with the name of its variable. */
function attempt<Value>(read: () => Value, problems: string[], prefix = ''): Value | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    problems.push(...error.problems.map((problem) => prefix + problem))
    return undefined
  }
}

const variableIn = (problem: string) => /^\w+/.exec(problem)?.[0]

const ofOthers = 0o077

/** A warning where other users of the machine may enter or read what a variable names; nothing that is there, no warning. */
async function warnOfReaders(variable: string, path: string | undefined): Promise<readonly string[]> {
  // Elsewhere the bits of a mode say nothing of who may read.
  if (path === undefined || process.platform === 'win32') return []
  const found = await stat(path).catch(() => undefined)
  if (!found || (found.mode & ofOthers) === 0) return []
  const right = found.isDirectory() ? '700' : '600'
  return [`${variable} is open to other users of this machine: chmod ${right} ${path}`]
}
