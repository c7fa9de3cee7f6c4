import type { RunContext } from '../../../engine/model/block-handler.ts'
import type { VendorCall } from '../../../engine/model/effect-payloads.ts'
import { ask, type Effects } from '../../../engine/model/effects.ts'
import type { LogEntry } from '../../../engine/model/log-entry.ts'
import { longToParse, parseJson } from '../../integrations/http-request/parse-json.ts'
import { describeUnreadableAnswer, describeVendorFailure } from './vendor-logs.ts'

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
