import { createHash } from 'node:crypto'
import type {
  OutgoingRequest,
  RequestOutcome,
  VendorCall,
  VendorOutcome,
} from '../../../engine/model/effect-payloads.ts'
import { ServiceError } from '../../../lib/errors.ts'
import type { CredentialScope, VendorAccount, VendorGrant } from '../../../ports/credentials-port.ts'
import type { ChatDependencies } from '../../dependencies.ts'
import { writeMultipart } from '../http/multipart-body.ts'
import { redactAnswer, redactText } from '../redact-secrets.ts'
import { type FileTerms, readVendorFile, saveVendorFile } from './vendor-files.ts'

/** For whom a call is made, and how it is sent. */
export interface VendorCallTerms {
  readonly scope: CredentialScope
  /** The secret id of what the visitor is known by. */
  readonly visitor: string
  /** A secret too. */
  readonly sessionId: string
  /** The secrets are masked in the outcome; what passes on pieces of it before has to do so itself. */
  send(request: OutgoingRequest, secrets: readonly string[]): Promise<RequestOutcome>
  readonly files: FileTerms
}

/**
 * Calls a vendor's service with an account of the operator (docs/behaviour/integrations.md, "Accounts of vendors"). Its
 * secret goes to the address of the account and nowhere else, and is masked in whatever comes back.
 */
export async function callVendor(
  call: VendorCall,
  terms: VendorCallTerms,
  deps: Pick<ChatDependencies, 'credentials' | 'ports' | 'files' | 'publicUrl'>,
): Promise<VendorOutcome> {
  const { credentials, ports } = deps
  const { scope, send } = terms
  const { vendor, credentialsId = `default-${vendor}` } = call
  const account = credentials.vendor(credentialsId, vendor, scope)
  const grant = account?.grant(call.purpose)
  if (!account || !grant) return { kind: 'no account' }
  const recent = findRecent(call, account, ports.now())
  if (recent !== undefined) return { kind: 'response', status: 200, text: recent }
  const token = await fetchToken(account, { call, send, now: ports.now() })
  if (token.outcome) return redactOutcome(token.outcome, account.secrets)
  const secrets = [...account.secrets, ...(token.token === undefined ? [] : [token.token])]
  const request = requestOf(call, account, { ...terms, grant, token: token.token })
  if (call.file || call.saveAs !== undefined) {
    return redactOutcome(await exchangeFiles(call, request, { ...terms, deps }), secrets)
  }
  const outcome = redactOutcome(await send(request, secrets), secrets)
  keepRecent(call, account, { outcome, at: ports.now() })
  return { ...outcome, facts: grant.facts }
}

interface FileExchange extends Pick<VendorCallTerms, 'send' | 'files'> {
  readonly deps: Pick<ChatDependencies, 'ports' | 'files' | 'publicUrl'>
}

/** Makes a call that sends a file, or whose answer is kept as one. */
async function exchangeFiles(
  { file, form = [], saveAs, timeoutMs }: VendorCall,
  request: OutgoingRequest,
  { send, files, deps }: FileExchange,
): Promise<VendorOutcome> {
  try {
    if (!file) return await saveVendorFile(request, saveAs ?? '', files, deps)
    const read = await readVendorFile(file.address, timeoutMs, files, deps)
    if (!read) return { kind: 'no room', reason: 'The file can not be read' }
    const sent = withFile(request, writeMultipart(form, { name: file.field, file: read }))
    return await send(sent, [])
  } catch (error) {
    // What is read piece by piece breaks with an error for people.
    if (error instanceof ServiceError || !(error instanceof Error)) throw error
    return { kind: 'failed', message: error.message }
  }
}

function withFile(
  { body: _, ...request }: OutgoingRequest,
  { bytes, contentType }: ReturnType<typeof writeMultipart>,
): OutgoingRequest {
  const headers = request.headers.filter(([name]) => name !== 'content-type')
  return { ...request, headers: [...headers, ['content-type', contentType]], bytes }
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
  const outcome = await send({ ...login.request(now), timeoutMs: call.timeoutMs }, [])
  const isAnswered = outcome.kind === 'response' && outcome.status >= 200 && outcome.status <= 299
  if (!isAnswered) return { outcome }
  const token = login.keep(outcome.text, now)
  return token === undefined
    ? { outcome: { kind: 'failed', message: 'There is no token in the answer' } }
    : { token }
}

interface RequestTerms extends Omit<VendorCallTerms, 'send' | 'files'> {
  readonly grant: VendorGrant
  readonly token: string | undefined
}

function requestOf(call: VendorCall, account: VendorAccount, terms: RequestTerms): OutgoingRequest {
  const { grant, token } = terms
  const { text, headers } = writeBody(call, account, terms)
  const login = token === undefined ? [] : [['authorization', `Bearer ${token}`] as const]
  return {
    method: call.method,
    url: addressOf(call, account),
    headers: [...headers, ...(call.headers ?? []), ...(grant.headers ?? []), ...login],
    ...(text !== undefined && { body: text }),
    timeoutMs: call.timeoutMs,
  }
}

const addressOf = ({ path }: VendorCall, { baseUrl, query = '' }: VendorAccount) =>
  `${baseUrl}${path}${query}`

function writeBody(call: VendorCall, account: VendorAccount, { grant, visitor, ...terms }: RequestTerms) {
  const { json, form, visitorField } = call
  if (form) {
    const fields = [...form, ...referenceOf(call, account, terms)]
    const text = new URLSearchParams(
      fields.map(([name, value]): [string, string] => [name, value]),
    ).toString()
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

/** Reference by which the vendor names the conversation when it calls back; absent in previews. */
function referenceOf(
  { referenceField }: VendorCall,
  { webhook }: VendorAccount,
  { scope, sessionId }: Pick<RequestTerms, 'scope' | 'sessionId'>,
): (readonly [name: string, value: string])[] {
  if (referenceField === undefined || !webhook || scope.kind !== 'live') return []
  return [[referenceField, webhook.seal(sessionId)]]
}

/** The ids of results and sessions are secrets, which no vendor may learn. */
function nameVisitor(id: string): string {
  return createHash('sha256').update(`visitor ${id}`).digest('hex').slice(0, 32)
}

function redactOutcome<Outcome extends VendorOutcome>(outcome: Outcome, secrets: readonly string[]): Outcome {
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
