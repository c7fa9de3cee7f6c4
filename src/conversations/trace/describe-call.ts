import type { TraceCall } from '../../../schemas/trace.ts'
import type {
  CodeJob,
  CodeResult,
  CompletionOutcome,
  CompletionRequest,
  Mail,
  OutgoingRequest,
  RequestOutcome,
  TokenOutcome,
  VendorCall,
  VendorOutcome,
} from '../../engine/model/effect-payloads.ts'
import type { EffectAnswer, LinkAnswer } from '../../engine/model/effects.ts'
import { isSecretName, maskUrl } from '../../engine/values/mask-url.ts'
import type { PerformedEffect } from '../effects/effect-executor.ts'
import { parseRedacted } from '../effects/redact-secrets.ts'

/** How much of a call its author may see. */
interface CallDetails {
  /** Whether headers and bodies are shown: they may be the operator's. */
  readonly isTrusted: boolean
}

type CallDescription = Pick<TraceCall, 'request' | 'answer'>

const mask = '***'

/** Says what was asked and what came of it, without secrets. Callers that write it down cut it. */
export function describeCall(
  effect: PerformedEffect,
  answer: EffectAnswer,
  details: CallDetails,
): CallDescription {
  switch (effect.type) {
    case 'now':
    case 'random':
    case 'id':
      return { answer }
    case 'link':
      return { request: { flowId: effect.flowId }, answer: describeLink(answer as LinkAnswer) }
    case 'evaluate':
      return describeCode(effect.jobs, answer as readonly CodeResult[])
    case 'request':
      return describeRequest(effect.request, answer as RequestOutcome, details)
    case 'mail':
      return { request: describeMail(effect.mail), answer }
    case 'complete':
      return describeCompletion(effect.completion, answer as CompletionOutcome, details)
    case 'callVendor':
      return describeVendorCall(effect.call, answer as VendorOutcome, details)
    case 'signToken':
      return { answer: { kind: (answer as TokenOutcome).kind } }
  }
}

const describeLink = (answer: LinkAnswer) =>
  answer.program ? { flowId: answer.program.id } : { refusal: answer.refusal }

function describeCode(jobs: readonly CodeJob[], results: readonly CodeResult[]): CallDescription {
  return {
    request: jobs.map(({ body, globals }) => ({ body, globals: Object.fromEntries(globals) })),
    answer: results.map((result) =>
      result.ok
        ? { ok: true, value: result.value, assigned: result.assigned }
        : { ok: false, reason: result.reason, message: result.message },
    ),
  }
}

function describeRequest(
  { method, url, headers, body }: OutgoingRequest,
  outcome: RequestOutcome,
  { isTrusted }: CallDetails,
): CallDescription {
  const request = {
    method,
    url: maskUrl(url),
    ...(isTrusted && { headers: Object.fromEntries(headers.map(maskHeader)) }),
    ...(body !== undefined && (isTrusted ? { body: maskText(body) } : { bodyLength: body.length })),
  }
  return { request, answer: describeOutcome(outcome, isTrusted) }
}

function describeOutcome(outcome: VendorOutcome, isTrusted: boolean): object {
  if (outcome.kind !== 'response') return outcome
  const { kind, status, text } = outcome
  return { kind, status, ...(isTrusted ? { body: maskText(text) } : { bodyLength: text.length }) }
}

function describeVendorCall(
  { vendor, method, path, json, form, file }: VendorCall,
  outcome: VendorOutcome,
  { isTrusted }: CallDetails,
): CallDescription {
  const body = json === undefined ? form && Object.fromEntries(form) : json
  const sent = isTrusted && body !== undefined && { body: maskText(JSON.stringify(body)) }
  const sentFile = isTrusted && file && { file: maskUrl(file.address) }
  const request = { vendor, method, path: maskUrl(path), ...sent, ...sentFile }
  return { request, answer: describeOutcome(outcome, isTrusted) }
}

/** Headers that say nothing about who asks. */
const plainHeaders = new Set(['accept', 'accept-language', 'content-type', 'user-agent'])

const maskHeader = ([name, value]: readonly [string, string]) =>
  [name, plainHeaders.has(name.toLowerCase()) ? value : mask] as const

/** Characters of a body that is looked through for secrets; of a longer one only its length is shown. */
const longestBody = 32 * 1024

/** Levels of JSON that are shown. */
const deepest = 8

/** JSON with what its names call a secret masked; other text as it is. */
function maskText(text: string): unknown {
  if (text.length > longestBody) return { length: text.length }
  const parsed = parseRedacted(text, [])
  return parsed ? maskNamed(parsed.value, 0) : text
}

function maskNamed(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth === deepest) return '…'
  if (Array.isArray(value)) return value.map((element) => maskNamed(element, depth + 1))
  const entries = Object.entries(value).map(([name, part]) => {
    const isSecret = isSecretName(name) && typeof part !== 'object'
    return [name, isSecret ? mask : maskNamed(part, depth + 1)] as const
  })
  return Object.fromEntries(entries)
}

/** Counts the addressees of a mail, and names none: addresses are personal. */
function describeMail({ to, cc, bcc, subject, text, html }: Mail): object {
  const length = (text ?? html ?? '').length
  return { people: to.length + cc.length + bcc.length, ...(subject !== undefined && { subject }), length }
}

function describeCompletion(
  { blockType, body }: CompletionRequest,
  outcome: CompletionOutcome,
  { isTrusted }: CallDetails,
): CallDescription {
  const { model, messages } = body
  return {
    request: { blockType, model, ...(isTrusted && { messages }) },
    answer: isTrusted || outcome.kind !== 'answer' ? outcome : { kind: outcome.kind },
  }
}
