import type {
  CodeJob,
  CodeResult,
  CompletionOutcome,
  CompletionRequest,
  VendorOutcome,
} from '../../engine/model/effect-payloads.ts'
import type { EffectAnswer } from '../../engine/model/effects.ts'
import { ServiceError } from '../../lib/errors.ts'
import type { OpenSpan, SpanAttributes, SpanFacts, Spans } from '../../ports/spans-port.ts'
import type { PerformedEffect } from '../effects/effect-executor.ts'
import type { CallEntry, CallSpans, Journal } from '../turn/journal.ts'
import { messageAttributes } from './message-attributes.ts'
import { spanNames } from './span-names.ts'

/** The code of a refusal. What else is thrown says too much of the inside, and of what it was about. */
export const errorTypeOf = (error: unknown): string =>
  error instanceof ServiceError ? error.code : 'INTERNAL_ERROR'

/** Longest name of a model: a flow may make it of what somebody said. */
const longestName = 100

/**
 * Begins and ends the spans of the calls of a turn, as children of the turn's. What takes part in the trace context is
 * propagated, unless `isAlone`.
 */
export function callSpans(
  turn: OpenSpan,
  { spans, isAlone = false }: { readonly spans: Spans; readonly isAlone?: boolean },
): CallSpans {
  const hosts = isAlone ? new Set<string>() : spans.propagatesTo
  return {
    turn,
    begin(effect) {
      const facts = describeEffect(effect)
      return facts && turn.child(facts)
    },
    propagate: (effect, span) => (hosts.size > 0 ? nameCaller(effect, span, hosts) : effect),
    end: ({ effect, outcome, span, endedAt }) =>
      span?.end(describeOutcomeOf(effect, outcome, spans), endedAt),
  }
}

/** Ends the spans of the calls of a turn that is over. */
export function endCallSpans({ calls, spans }: Pick<Journal, 'calls' | 'spans'>): void {
  if (spans) for (const call of calls) spans.end(call)
}

function describeOutcomeOf(
  effect: PerformedEffect,
  outcome: CallEntry['outcome'],
  { capturesMessages }: Spans,
): SpanAttributes {
  if ('error' in outcome) return { [spanNames.error]: errorTypeOf(outcome.error) }
  const { answer } = outcome
  const messages = capturesMessages && effect.type === 'complete' && describeMessages(effect, answer)
  return { ...describeAnswer(effect, answer), ...messages }
}

/** A header of the author's stands. */
function nameCaller(effect: PerformedEffect, span: OpenSpan, hosts: ReadonlySet<string>): PerformedEffect {
  if (effect.type !== 'request') return effect
  const { request } = effect
  const { url, headers } = request
  const isKnown = URL.canParse(url) && hosts.has(new URL(url).hostname)
  if (!isKnown || headers.some(([name]) => name.toLowerCase() === 'traceparent')) return effect
  return { ...effect, request: { ...request, headers: [...headers, ['traceparent', span.traceparent]] } }
}

function describeMessages({ completion }: { readonly completion: CompletionRequest }, answer: EffectAnswer) {
  const { body } = answer as { readonly body?: unknown }
  return messageAttributes(completion.body['messages'], body)
}

/** Facts that are known before the answer; undefined for what is no call. */
function describeEffect(effect: PerformedEffect): SpanFacts | undefined {
  switch (effect.type) {
    case 'request':
      return { name: effect.request.method, kind: 'client', attributes: describeAddress(effect.request) }
    case 'callVendor': {
      const { vendor, method } = effect.call
      const attributes = { [spanNames.vendor]: vendor, [spanNames.method]: method }
      return { name: `${method} ${vendor}`, kind: 'client', attributes }
    }
    case 'mail':
      return { name: 'send mail', kind: 'client', attributes: {} }
    case 'complete':
      return describeCompletion(effect.completion)
    case 'evaluate':
      return describeJobs(effect.jobs)
    default:
      return undefined
  }
}

/** Code that a model has called goes by the name that the flow gives it. */
function describeJobs([job]: readonly CodeJob[]): SpanFacts {
  if (!job?.tool) return { name: 'flow.code', kind: 'internal', attributes: {} }
  const name = job.tool.name.slice(0, longestName)
  return {
    name: `execute_tool ${name}`,
    kind: 'internal',
    attributes: {
      [spanNames.operation]: 'execute_tool',
      [spanNames.toolName]: name,
      [spanNames.toolCall]: job.tool.callId.slice(0, longestName),
    },
  }
}

/** Neither path nor query: both may hold what somebody said. */
function describeAddress({ method, url }: { readonly method: string; readonly url: string }): SpanAttributes {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const port = parsed && Number(parsed.port || (parsed.protocol === 'https:' ? 443 : 80))
  return {
    [spanNames.method]: method,
    ...(parsed && { [spanNames.host]: parsed.hostname }),
    ...(port !== undefined && { [spanNames.port]: port }),
  }
}

function describeCompletion({ blockType, body }: CompletionRequest): SpanFacts {
  const { model, temperature } = body
  const name = typeof model === 'string' ? model.slice(0, longestName) : undefined
  return {
    name: name === undefined ? 'chat' : `chat ${name}`,
    kind: 'client',
    attributes: {
      [spanNames.operation]: 'chat',
      [spanNames.provider]: blockType,
      ...(name !== undefined && { [spanNames.model]: name }),
      ...(typeof temperature === 'number' && { [spanNames.temperature]: temperature }),
    },
  }
}

function describeAnswer(effect: PerformedEffect, answer: EffectAnswer): SpanAttributes {
  switch (effect.type) {
    case 'request':
    case 'callVendor':
      return describeOutcome(answer as VendorOutcome)
    case 'mail': {
      const { kind } = answer as { readonly kind: string }
      return kind === 'sent' ? {} : { [spanNames.error]: kind }
    }
    case 'complete':
      return describeCompleted(answer as CompletionOutcome)
    case 'evaluate':
      return describeCode(answer as readonly CodeResult[])
    default:
      return {}
  }
}

function describeOutcome(outcome: VendorOutcome): SpanAttributes {
  if (outcome.kind !== 'response') return { [spanNames.error]: outcome.kind }
  const { status } = outcome
  return { [spanNames.status]: status, ...(status >= 400 && { [spanNames.error]: String(status) }) }
}

/** The part of an answer of a model that says nothing of what was said. */
interface CompletionFacts {
  readonly choices?: readonly { readonly finish_reason?: unknown }[]
  readonly usage?: { readonly prompt_tokens?: unknown; readonly completion_tokens?: unknown }
}

function describeCompleted(outcome: CompletionOutcome): SpanAttributes {
  if (outcome.kind !== 'answer') return { [spanNames.error]: outcome.kind }
  const { choices, usage } = (outcome.body ?? {}) as CompletionFacts
  const reasons = Array.isArray(choices)
    ? choices.flatMap((choice: { finish_reason?: unknown } | null) =>
        typeof choice?.finish_reason === 'string' ? [choice.finish_reason.slice(0, longestName)] : [],
      )
    : []
  const counts = {
    [spanNames.inputTokens]: usage?.prompt_tokens,
    [spanNames.outputTokens]: usage?.completion_tokens,
  }
  const known = Object.entries(counts).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number',
  )
  return {
    ...(reasons.length > 0 && { [spanNames.finishReasons]: reasons.slice(0, 10) }),
    ...Object.fromEntries(known),
  }
}

function describeCode(results: readonly CodeResult[]): SpanAttributes {
  const failed = results.find(({ ok }) => !ok)
  const reason = failed && !failed.ok ? failed.reason : undefined
  return {
    [spanNames.codeRanMs]: results.reduce((sum, { ranMs = 0 }) => sum + ranMs, 0),
    [spanNames.codeOutcome]: reason ?? 'ok',
    ...(reason !== undefined && { [spanNames.error]: reason }),
  }
}
