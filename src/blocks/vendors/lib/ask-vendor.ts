import type { RunContext } from '../../../engine/model/block-handler.ts'
import type { VendorCall, VendorOutcome } from '../../../engine/model/effect-payloads.ts'
import { ask, type Effects } from '../../../engine/model/effects.ts'
import { type LogEntry, visibleError } from '../../../engine/model/log-entry.ts'
import { detailRefusal } from '../../../engine/values/mask-url.ts'
import { longToParse, parseJson } from '../../json-texts.ts'

type VendorFacts = Readonly<Record<string, string>> | undefined

/** Outcome of a call: the answer of the vendor, or the log that says why there is none. */
type VendorAnswer =
  | { readonly ok: true; readonly text: string; readonly facts: VendorFacts }
  | { readonly ok: false; readonly log: LogEntry; readonly status?: number }

/** Milliseconds that a vendor has for an answer. */
const usualTimeoutMs = 10_000

/** Reading a response is that much quicker than making texts. */
const responseWeight = 1 / 16

export type VendorQuestion = Omit<VendorCall, 'timeoutMs'> & Partial<Pick<VendorCall, 'timeoutMs'>>

/** Calls a vendor's service; any status but 2xx is a failure. */
export function* askVendor(question: VendorQuestion, context: RunContext): Effects<VendorAnswer> {
  const call = { timeoutMs: usualTimeoutMs, ...question }
  const outcome = yield* ask({ type: 'callVendor', call })
  if (outcome.kind !== 'response') return { ok: false, log: describeVendorFailure(outcome, call.vendor) }
  const { status, text } = outcome
  context.spend(Math.ceil(text.length * responseWeight))
  if (status >= 200 && status <= 299) return { ok: true, text, facts: outcome.facts }
  return { ok: false, log: describeVendorFailure(outcome, call.vendor), status }
}

/** As `askVendor`, for an answer that is an object in JSON. */
export function* askVendorForJson(
  question: VendorQuestion,
  context: RunContext,
): Effects<
  { ok: true; body: Readonly<Record<string, unknown>>; facts: VendorFacts } | (VendorAnswer & { ok: false })
> {
  const answer = yield* askVendor(question, context)
  if (!answer.ok) return answer
  const parsed = answer.text.length > longestJson ? undefined : parseJson(answer.text)
  // A long parse is one slice, and the reading of its result the next. A turn that is out of time ends at its next
  // block.
  if (answer.text.length > longToParse) yield* ask({ type: 'yield' })
  if (typeof parsed?.value !== 'object' || parsed.value === null)
    return { ok: false, log: describeUnreadableAnswer(question.vendor, answer.text) }
  return { ok: true, body: parsed.value as Readonly<Record<string, unknown>>, facts: answer.facts }
}

/** Characters of an answer that are read as JSON: that goes on without a break. */
const longestJson = 2 * 2 ** 20

/** Characters of an answer that a log quotes. */
const quotedCharacters = 1000

/** Something that the author has to set right, as a log that visitors see too. */
export function reportProblem(description: string, details?: string): LogEntry {
  return visibleError({ description, ...(details !== undefined && { details }) })
}

export function reportNote(description: string, details?: string): LogEntry {
  return { audience: 'visitors', status: 'info', description, ...(details !== undefined && { details }) }
}

/** The log for a call that did not succeed; its details are for the author, since they quote the vendor. */
export function describeVendorFailure(outcome: VendorOutcome, vendor: string): LogEntry {
  switch (outcome.kind) {
    case 'no account':
      return reportProblem(`Could not find credentials for block ${vendor}`)
    case 'off':
      return reportNote(outcome.reason)
    case 'spent':
    case 'no room':
      return reportProblem(outcome.reason)
    case 'response':
      return failure(vendor, `answered ${outcome.status}`, detailRefusal(outcome.status, outcome.text))
    case 'timeout':
      return failure(vendor, 'did not answer in time')
    case 'refused':
      return failure(vendor, 'could not be reached', outcome.reason)
    case 'failed':
      return failure(vendor, 'could not be reached', outcome.message)
  }
}

/** The log for an answer that is not what the vendor documents. */
export function describeUnreadableAnswer(vendor: string, text: string): LogEntry {
  return failure(vendor, 'answered what can not be read', text)
}

function failure(vendor: string, what: string, quoted?: string): LogEntry {
  return {
    audience: 'visitors without details',
    status: 'error',
    context: vendor,
    description: `The service of ${vendor} ${what}`,
    ...(quoted !== undefined && { details: quoted.slice(0, quotedCharacters) }),
  }
}
