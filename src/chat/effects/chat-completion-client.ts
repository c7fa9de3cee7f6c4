import type {
  CompletionOutcome,
  CompletionRequest,
  OutgoingRequest,
} from '../../engine/model/effect-payloads.ts'
import { hasTooManyKeys } from '../../engine/values/json-keys.ts'
import type { CredentialScope } from '../../ports.ts'
import type { ChatDependencies } from '../dependencies.ts'

/** How long one answer of a model may take, in milliseconds. */
const modelMs = 60_000

/** Characters of an answer that go into a log. */
const mostDetails = 1000

const bearer = 'Bearer '

const mask = '******'

/**
 * Shorter keys are mostly words that stand in for one, at servers that want none: in what a model says they are
 * masked as whole words only.
 */
const shortestSecret = 12

/** What a question needs besides itself. */
export interface CompletionOptions {
  readonly borrower: CredentialScope
  readonly timeoutMs: number
}

/**
 * Asks a language model with an account of the operator (docs/behaviour/integrations.md, "Chat completion"). The key goes to the
 * address of the account and nowhere else.
 */
export async function requestCompletion(
  completion: CompletionRequest,
  terms: CompletionOptions,
  deps: ChatDependencies,
): Promise<CompletionOutcome> {
  const request = completionRequest(completion, terms, deps)
  if (!request) return { kind: 'no account' }
  const outcome = await deps.http.send(request, { signal: deps.closing, isTrusted: true })
  switch (outcome.kind) {
    case 'response':
      return readAnswer(outcome, request)
    case 'timeout':
      return { kind: 'failed', message: 'The model did not answer in time' }
    case 'failed':
      return { kind: 'failed', message: outcome.message }
    case 'off':
    case 'spent':
    case 'refused':
      return { kind: 'failed', message: outcome.reason }
  }
}

/** The request to a model's server; undefined when the borrower has no such account. */
export function completionRequest(
  { blockType, credentialsId, body }: CompletionRequest,
  { borrower, timeoutMs }: CompletionOptions,
  { credentials }: Pick<ChatDependencies, 'credentials'>,
): OutgoingRequest | undefined {
  const account = credentials.model(credentialsId ?? `default-${blockType}`, blockType, borrower)
  return (
    account && {
      method: 'POST',
      url: `${account.baseUrl}/chat/completions`,
      headers: [
        ['authorization', `${bearer}${account.apiKey}`],
        ['content-type', 'application/json'],
      ],
      body: JSON.stringify(body),
      timeoutMs: Math.min(timeoutMs, modelMs),
    }
  )
}

function readAnswer(
  { status, text }: { readonly status: number; readonly text: string },
  request: OutgoingRequest,
): CompletionOutcome {
  if (status < 200 || status > 299) {
    return {
      kind: 'failed',
      message: `The model's server answered ${status}`,
      details: redactedExcerpt(text, request),
    }
  }
  const parsed = parseAnswer(text, request)
  return parsed
    ? { kind: 'answer', body: parsed.value }
    : {
        kind: 'failed',
        message: "The model's server answered no JSON",
        details: redactedExcerpt(text, request),
      }
}

/** What an author may be shown of an answer: servers repeat keys that they do not like. */
export function redactedExcerpt(text: string, request: OutgoingRequest): string {
  const parsed = parseAnswer(text, request)
  const quoted = parsed ? JSON.stringify(parsed.value) : text
  return quoted.replaceAll(keyOf(request), mask).slice(0, mostDetails)
}

/** JSON of a model's server, without the key that it was sent; undefined for anything else, and for too many keys. */
export function parseAnswer(text: string, request: OutgoingRequest): { readonly value: unknown } | undefined {
  if (hasTooManyKeys(text)) return undefined
  try {
    return { value: redactKey(JSON.parse(text), request) }
  } catch {
    return undefined
  }
}

/** The same data without the key, wherever it stands. Throws for what is nested beyond all bounds. */
export function redactKey(value: unknown, request: OutgoingRequest): unknown {
  const pattern = patternOf(keyOf(request))
  const hide = (text: string) => text.replace(pattern, mask)
  const clean = (part: unknown): unknown => {
    if (typeof part === 'string') return hide(part)
    if (Array.isArray(part)) return part.map(clean)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [hide(name), clean(inner)]))
  }
  return clean(value)
}

function patternOf(key: string): RegExp {
  const literal = key.replace(/[^A-Za-z0-9]/g, '\\$&')
  return new RegExp(key.length < shortestSecret ? `(?<![\\w-])${literal}(?![\\w-])` : literal, 'g')
}

function keyOf({ headers }: OutgoingRequest): string {
  const [, authorization = ''] = headers.find(([name]) => name === 'authorization') ?? []
  return authorization.slice(bearer.length)
}
