import { channels } from '../../../schemas/channel.ts'
import { type ChannelAccount, messengers } from '../../channels/messenger-table.ts'
import { ConfigError } from '../../lib/config-error.ts'
import { jsonIn } from '../../lib/json-bounds.ts'
import type {
  CredentialScope,
  Credentials,
  ModelAccount,
  VendorAccount,
} from '../../ports/credentials-port.ts'
import type { MailAccount } from '../../ports/mailer-port.ts'
import {
  type AzureData,
  azureType,
  type CredentialEntry,
  type ModelData,
  problemsWithData,
  problemsWithEntry,
  type ShapeProblem,
  type SmtpData,
} from './credential-schemas.ts'
import {
  type EnvironmentVariables,
  type RawAccount,
  readEnvironmentAccounts,
} from './environment-accounts.ts'
import { insertEnvironmentReferences } from './environment-references.ts'
import { modelAddresses } from './model-makers.ts'
import { keyInHeader, UnusableAccountError } from './vendors/vendor-type.ts'
import { vendors } from './vendors/vendors.ts'

interface ReadCredentials {
  readonly credentials: Credentials
  /** Accounts that were left out, for the operator. */
  readonly warnings: readonly string[]
}

interface Account extends Omit<CredentialEntry, 'data'> {
  readonly mail?: MailAccount
  readonly model?: ModelAccount
  readonly vendor?: VendorAccount
  readonly channel?: ChannelAccount
}

/**
 * Reads the accounts that flows may use: from the text of the credentials file, where there is one, and from
 * environment variables of their own.
 */
export function readCredentials(text: string | undefined, env: EnvironmentVariables): ReadCredentials {
  const given = readEnvironmentAccounts(env)
  const problems = [...given.problems]
  const warnings = [...given.warnings]
  const accounts = new Map<string, Account>()
  for (const raw of [...accountsOfFile(text, problems), ...given.accounts]) {
    const account = readAccount(raw, { env, problems, warnings })
    if (!account) continue
    if (accounts.has(account.id)) problems.push(`${raw.placeOf('/id')} has an id that another account has`)
    accounts.set(account.id, account)
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return { credentials: credentialsOf(accounts), warnings }
}

function accountsOfFile(text: string | undefined, problems: string[]): RawAccount[] {
  if (text === undefined) return []
  // The parser's own message would show a part of the text.
  const entries = jsonIn(text)
  if (!Array.isArray(entries)) {
    problems.push('CREDENTIALS_FILE must be a list in JSON')
    return []
  }
  return entries.map((entry, index) => ({
    entry,
    placeOf: (pointer) => `CREDENTIALS_FILE /${index}${pointer}`,
  }))
}

interface Reading {
  readonly env: EnvironmentVariables
  readonly problems: string[]
  readonly warnings: string[]
}

function readAccount(raw: RawAccount, { env, problems, warnings }: Reading): Account | undefined {
  const inserted = insertEnvironmentReferences(raw.entry, env)
  const entry = inserted.value
  const describe = (problem: ShapeProblem) => `${raw.placeOf(problem.at)} ${problem.complaint}`
  const wrong = [...inserted.problems, ...problemsWithEntry(entry)]
  if (wrong.length > 0 || !isEntry(entry)) {
    problems.push(...wrong.map(describe))
    return undefined
  }
  const wrongData = problemsWithData(entry.type, entry.data)
  if (!wrongData) {
    warnings.push(`${raw.placeOf('')} is not used: this server has no use for its type`)
    return undefined
  }
  const opened = wrongData.length === 0 ? openAccount(entry) : { problems: wrongData }
  if ('account' in opened) return opened.account
  problems.push(...opened.problems.map(({ at, complaint }) => describe({ at: `/data${at}`, complaint })))
  return undefined
}

function openAccount(
  entry: CredentialEntry,
): { readonly account: Account } | { readonly problems: readonly ShapeProblem[] } {
  try {
    return { account: accountOf(entry) }
  } catch (error) {
    if (error instanceof UnusableAccountError) return { problems: [error] }
    throw error
  }
}

const isEntry = (entry: unknown): entry is CredentialEntry => typeof entry === 'object'

function accountOf({ data, ...entry }: CredentialEntry): Account {
  if (entry.type === 'smtp') return { ...entry, mail: mailAccountOf(data as SmtpData) }
  const channel = channelAccountOf(entry.type, data)
  if (channel) return { ...entry, channel }
  const vendor = vendors.get(entry.type)
  if (vendor) return { ...entry, vendor: vendor.open(data) }
  // Makers of models have more to offer than answers.
  if (entry.type === azureType) {
    const model = azureModelOf(data as AzureData)
    return {
      ...entry,
      model,
      vendor: { ...keyInHeader('api-key', model), query: model.query, recent: new Map() },
    }
  }
  const { apiKey, baseUrl = modelAddresses.get(entry.type) ?? '' } = data as ModelData
  const model = Object.freeze({ apiKey, baseUrl: trimEndSlashes(baseUrl) })
  return { ...entry, model, vendor: { ...keyInHeader('authorization', model, 'Bearer '), recent: new Map() } }
}

function channelAccountOf(type: string, data: object): ChannelAccount | undefined {
  const name = channels.find((each) => each === type)
  if (!name) return undefined
  const account = { type: name, baseUrl: messengers[name].baseUrl, ...data } as ChannelAccount
  return Object.freeze({ ...account, baseUrl: trimEndSlashes(account.baseUrl) })
}

const trimEndSlashes = (address: string) => address.replace(/\/+$/, '')

function azureModelOf({ apiKey, baseUrl, apiVersion }: AzureData) {
  const query = apiVersion === undefined ? '' : `?${new URLSearchParams({ 'api-version': apiVersion })}`
  return Object.freeze({ apiKey, baseUrl: trimEndSlashes(baseUrl), keyHeader: 'api-key', query })
}

function mailAccountOf({ ignoreTls, ...data }: SmtpData): MailAccount {
  return Object.freeze({ ...data, ...(ignoreTls !== undefined && { ignoresTls: ignoreTls }) })
}

function credentialsOf(accounts: ReadonlyMap<string, Account>): Credentials {
  const accountFor = (id: string, scope: CredentialScope) => {
    const account = accounts.get(id)
    return account && mayUse(account, scope) ? account : undefined
  }
  return {
    mailAccount: (id, scope) => accountFor(id, scope)?.mail,
    model(id, type, scope) {
      const account = accountFor(id, scope)
      return account && suits(account, type) ? account.model : undefined
    },
    vendor(id, type, scope) {
      const account = accountFor(id, scope)
      return account && suits(account, type) ? account.vendor : undefined
    },
    webhook(id, type) {
      const account = accounts.get(id)
      return account?.type === type ? account.vendor?.webhook : undefined
    },
    channel: (id) => accounts.get(id)?.channel,
  }
}

/** Whether blocks of a type may use an account: what OpenAI makes is had at Azure too. */
const suits = (account: Account, type: string) =>
  account.type === type || (account.type === azureType && type === 'openai')

/** A preview counts as trusted only by the operator's token; the scope of one without it is marked. */
function mayUse(account: Account, scope: CredentialScope): boolean {
  if (scope.kind !== 'live' && account.allowPreview === true) return true
  const isClosed =
    scope.kind === 'preview' || (scope.kind === 'trusted preview' && account.allowPreview === false)
  return !isClosed && isFor(account, scope)
}

function isFor({ workspaceId, allowedFlows }: Account, scope: CredentialScope): boolean {
  const isOfWorkspace = workspaceId === undefined || workspaceId === scope.workspaceId
  const { flowId } = scope
  return isOfWorkspace && (!allowedFlows || (flowId !== undefined && allowedFlows.includes(flowId)))
}
