import { createHash } from 'node:crypto'
import type {
  OutgoingRequest,
  RequestOutcome,
  VendorCall,
  VendorOutcome,
} from '../../engine/model/effect-payloads.ts'
import type { CredentialScope, VendorAccount, VendorGrant } from '../../ports.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { redactAnswer, redactText } from './redact-secrets.ts'

/** For whom a call is made, and how it is sent. */
export interface VendorCallTerms {
  readonly borrower: CredentialScope
  /** The secret id of what the visitor is known by. */
  readonly visitor: string
  send(request: OutgoingRequest): Promise<RequestOutcome>
}

/**
 * Calls a vendor's service with an account of the operator (docs/behaviour/integrations.md, "Accounts of vendors"). Its
 * secret goes to the address of the account and nowhere else, and is masked in whatever comes back.
 */
export async function callVendor(
  call: VendorCall,
  { borrower, visitor, send }: VendorCallTerms,
  { credentials, ports }: Pick<ChatDependencies, 'credentials' | 'ports'>,
): Promise<VendorOutcome> {
  const { vendor, credentialsId = `default-${vendor}` } = call
  const account = credentials.vendor(credentialsId, vendor, borrower)
  const grant = account?.grant(call.purpose)
  if (!account || !grant) return { kind: 'no account' }
  const recent = findRecent(call, account, ports.now())
  if (recent !== undefined) return { kind: 'response', status: 200, text: recent }
  const token = await fetchToken(account, { call, send, now: ports.now() })
  if (token.outcome) return redactOutcome(token.outcome, account.secrets)
  const request = requestOf(call, account, { grant, visitor, token: token.token })
  const secrets = [...account.secrets, ...(token.token === undefined ? [] : [token.token])]
  const outcome = redactOutcome(await send(request), secrets)
  keepRecent(call, account, { outcome, at: ports.now() })
  return { ...outcome, facts: grant.facts }
}

interface TokenTerms extends Pick<VendorCallTerms, 'send'> {
  readonly call: VendorCall
  readonly now: number
}

type Token =
  | { readonly token: string | undefined; readonly outcome?: undefined }
  | { readonly outcome: RequestOutcome }

/** The token that requests of an account carry, if they carry one; why there is none counts as the outcome of the call. */
async function fetchToken({ login }: VendorAccount, { call, send, now }: TokenTerms): Promise<Token> {
  const current = login?.current(now)
  if (!login || current !== undefined) return { token: current }
  const outcome = await send({ ...login.request(now), timeoutMs: call.timeoutMs })
  const isAnswered = outcome.kind === 'response' && outcome.status >= 200 && outcome.status <= 299
  if (!isAnswered) return { outcome }
  const token = login.keep(outcome.text, now)
  return token === undefined
    ? { outcome: { kind: 'failed', message: 'There is no token in the answer' } }
    : { token }
}

interface RequestTerms {
  readonly grant: VendorGrant
  readonly visitor: string
  readonly token: string | undefined
}

function requestOf(
  call: VendorCall,
  account: VendorAccount,
  { grant, visitor, token }: RequestTerms,
): OutgoingRequest {
  const { text, headers } = writeBody(call, grant, visitor)
  const login = token === undefined ? [] : [['authorization', `Bearer ${token}`] as const]
  return {
    method: call.method,
    url: addressOf(call, account),
    headers: [...headers, ...(call.headers ?? []), ...(grant.headers ?? []), ...login],
    ...(text !== undefined && { body: text }),
    timeoutMs: call.timeoutMs,
  }
}

const addressOf = ({ path }: VendorCall, { baseUrl }: VendorAccount) => `${baseUrl}${path}`

function writeBody({ json, form, visitorField }: VendorCall, grant: VendorGrant, visitor: string) {
  if (form) {
    const text = new URLSearchParams(form.map(([name, value]): [string, string] => [name, value])).toString()
    return { text, headers: [['content-type', 'application/x-www-form-urlencoded']] as const }
  }
  if (json === undefined) return { text: undefined, headers: [] }
  const added = {
    ...(visitorField !== undefined && { [visitorField]: nameVisitor(visitor) }),
    ...grant.json,
  }
  const value = Object.keys(added).length > 0 ? { ...Object(json), ...added } : json
  return { text: JSON.stringify(value), headers: [['content-type', 'application/json']] as const }
}

/** The ids of results and sessions are secrets, which no vendor may learn. */
function nameVisitor(id: string): string {
  return createHash('sha256').update(`visitor ${id}`).digest('hex').slice(0, 32)
}

function redactOutcome(outcome: RequestOutcome, secrets: readonly string[]): RequestOutcome {
  switch (outcome.kind) {
    case 'response':
      return { ...outcome, text: redactAnswer(outcome.text, secrets) }
    case 'failed':
      return { ...outcome, message: redactText(outcome.message, secrets) }
    default:
      return outcome
  }
}

/** Responses that an account keeps, and characters of the longest. */
const mostRecent = 100
const longestRecent = 32 * 1024

function findRecent(call: VendorCall, account: VendorAccount, now: number): string | undefined {
  const found = call.reuseMs === undefined ? undefined : account.recent.get(addressOf(call, account))
  return found && now - found.at < (call.reuseMs ?? 0) ? found.text : undefined
}

function keepRecent(
  call: VendorCall,
  account: VendorAccount,
  { outcome, at }: { readonly outcome: RequestOutcome; readonly at: number },
): void {
  if (call.reuseMs === undefined || outcome.kind !== 'response' || outcome.status !== 200) return
  if (outcome.text.length > longestRecent) return
  const { recent } = account
  const address = addressOf(call, account)
  recent.delete(address)
  recent.set(address, { text: outcome.text, at })
  const [oldest] = recent.keys()
  if (recent.size > mostRecent && oldest !== undefined) recent.delete(oldest)
}
