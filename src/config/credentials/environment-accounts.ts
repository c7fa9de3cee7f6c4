import addressparser from 'nodemailer/lib/addressparser'
import { modelMakers } from './model-makers.ts'

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>

/** An account that is yet to be checked. */
export interface RawAccount {
  readonly entry: unknown
  /** The operator's name of a place inside the entry. */
  placeOf(pointer: string): string
}

/** Accounts of an environment, and its problems. */
interface EnvironmentAccounts {
  readonly accounts: readonly RawAccount[]
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
}

const modelTypes = Object.entries(modelMakers).map(([name, { type }]): [string, string] => [name, type])

/** The accounts for which one variable is enough: `SMTP_URL`, and `<TYPE>_API_KEY` with `<TYPE>_BASE_URL`. */
export function readEnvironmentAccounts(env: EnvironmentVariables): EnvironmentAccounts {
  const mail = accountOfSmtpUrl(env['SMTP_URL'])
  const isKeyless = ([name]: [string, string]) =>
    !env[`${name}_API_KEY`] && env[`${name}_BASE_URL`] !== undefined
  return {
    accounts: [...mail.accounts, ...modelTypes.flatMap(([name, type]) => accountOfKey(name, type, env))],
    problems: mail.problems,
    warnings: modelTypes
      .filter(isKeyless)
      .map(([name]) => `${name}_BASE_URL is not used: ${name}_API_KEY is missing`),
  }
}

function accountOfKey(name: string, type: string, env: EnvironmentVariables): RawAccount[] {
  const apiKey = env[`${name}_API_KEY`]
  const baseUrl = env[`${name}_BASE_URL`]
  if (apiKey === undefined) return []
  const data = { apiKey, ...(baseUrl !== undefined && { baseUrl }) }
  const placeOf = (pointer: string) =>
    `${name}_${pointer.startsWith('/data/baseUrl') ? 'BASE_URL' : 'API_KEY'}`
  return [{ entry: { id: `default-${type}`, type, data }, placeOf }]
}

function accountOfSmtpUrl(text: string | undefined): Pick<EnvironmentAccounts, 'accounts' | 'problems'> {
  if (text === undefined) return { accounts: [], problems: [] }
  try {
    const entry = { id: 'default', type: 'smtp', data: readSmtpUrl(text) }
    return { accounts: [{ entry, placeOf: (pointer) => `SMTP_URL (${pointer})` }], problems: [] }
  } catch (error) {
    const reason = error instanceof Complaint ? error.message : 'is not an address that can be read'
    return { accounts: [], problems: [`SMTP_URL ${reason}`] }
  }
}

/** Says what is wrong with an address without showing it. */
class Complaint extends Error {}

/** `smtp://user:password@host:port?from=Name%20%3Ca%40b%3E`, with `smtps` for TLS from the first byte. */
function readSmtpUrl(text: string): object {
  const url = new URL(text)
  const { protocol, hostname, port, pathname, hash, searchParams } = url
  const isSecure = protocol === 'smtps:'
  if ((!isSecure && protocol !== 'smtp:') || pathname.length > 1 || hash !== '') {
    throw new Complaint('must be smtp://user:password@host:port?from=…, or the same with smtps')
  }
  for (const name of searchParams.keys()) {
    if (name !== 'from' && name !== 'ignoreTls')
      throw new Complaint('may hold from and ignoreTls after the ?')
  }
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (isSecure ? 465 : 25) : Number(port),
    ...loginOf(url),
    ...(isSecure && { isTlsEnabled: true }),
    ...(ignoresTls(searchParams.get('ignoreTls')) && { ignoreTls: true }),
    from: readSender(searchParams.get('from')),
  }
}

function loginOf({ username, password }: URL): object {
  if (username === '') return {}
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) }
}

function ignoresTls(value: string | null): boolean {
  if (value !== null && value !== 'true' && value !== 'false')
    throw new Complaint('needs ignoreTls=true or false')
  return value === 'true'
}

function readSender(value: string | null): object {
  const [sender, other] = addressparser(value, { flatten: true })
  if (!sender?.address || other) {
    throw new Complaint('needs ?from=Name%20%3Caddress%40host%3E, the sender of its mails')
  }
  return { email: sender.address, ...(sender.name !== '' && { name: sender.name }) }
}
