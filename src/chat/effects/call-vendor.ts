import { createHash } from 'node:crypto'
import type { OutgoingRequest, VendorCall, VendorOutcome } from '../../engine/model/effect-payloads.ts'
import type { CredentialScope, VendorGrant } from '../../ports.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { redactAnswer, redactText } from './redact-secrets.ts'

/** A call that is about to be made. */
export interface PreparedVendorCall {
  readonly request: OutgoingRequest
  /** The outcome without the secrets of the account. */
  redact(outcome: VendorOutcome): VendorOutcome
}

/**
 * Adds an account of the operator to a call to a vendor (docs/behaviour/integrations.md, "Accounts of vendors"): its
 * secret goes to the address of the account and nowhere else. Undefined when the borrower has no such account.
 */
export function prepareVendorCall(
  call: VendorCall,
  { borrower, visitor }: { readonly borrower: CredentialScope; readonly visitor: string },
  { credentials }: Pick<ChatDependencies, 'credentials'>,
): PreparedVendorCall | undefined {
  const { vendor, credentialsId = `default-${vendor}`, purpose, path } = call
  const account = credentials.vendor(credentialsId, vendor, borrower)
  const grant = account?.grant(purpose)
  if (!account || !grant) return undefined
  const { text, headers } = writeBody(call, grant, visitor)
  const request = {
    method: call.method,
    url: `${account.baseUrl}${path}`,
    headers: [...headers, ...(call.headers ?? []), ...(grant.headers ?? [])],
    ...(text !== undefined && { body: text }),
    timeoutMs: call.timeoutMs,
  }
  return { request, redact: (outcome) => redactOutcome(outcome, account.secrets) }
}

function writeBody({ json, form, visitorField }: VendorCall, grant: VendorGrant, visitor: string) {
  if (form) {
    const text = new URLSearchParams(form.map(([name, value]): [string, string] => [name, value])).toString()
    return { text, headers: [['content-type', 'application/x-www-form-urlencoded']] as const }
  }
  if (json === undefined) return { text: undefined, headers: [] }
  const added = { ...(visitorField !== undefined && { [visitorField]: nameVisitor(visitor) }), ...grant.json }
  const value = Object.keys(added).length > 0 ? { ...Object(json), ...added } : json
  return { text: JSON.stringify(value), headers: [['content-type', 'application/json']] as const }
}

/** The ids of results and sessions are secrets, which no vendor may learn. */
function nameVisitor(id: string): string {
  return createHash('sha256').update(`visitor ${id}`).digest('hex').slice(0, 32)
}

function redactOutcome(outcome: VendorOutcome, secrets: readonly string[]): VendorOutcome {
  switch (outcome.kind) {
    case 'response':
      return { ...outcome, text: redactAnswer(outcome.text, secrets) }
    case 'failed':
      return { ...outcome, message: redactText(outcome.message, secrets) }
    default:
      return outcome
  }
}
