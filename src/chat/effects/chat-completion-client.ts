import type {
  CompletionOutcome,
  CompletionRequest,
  OutgoingRequest,
} from '../../engine/model/effect-payloads.ts'
import type { CredentialScope } from '../../ports.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { parseRedacted, redactData, redactText } from './redact-secrets.ts'

/** How long one answer of a model may take, in milliseconds. */
const modelMs = 60_000

/** Characters of an answer that go into a log. */
const mostDetails = 1000

const bearer = 'Bearer '

/** What a question needs besides itself. */
export interface CompletionOptions {
  readonly borrower: CredentialScope
  readonly timeoutMs: number
  /** The name of the call, which is the same when its turn is repeated. */
  readonly key: string
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
  { borrower, timeoutMs, key }: CompletionOptions,
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
        ['idempotency-key', key],
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
  return redactText(quoted, [keyOf(request)]).slice(0, mostDetails)
}

/** JSON of a model's server, without the key that it was sent; undefined for anything else, and for more than is read. */
export function parseAnswer(text: string, request: OutgoingRequest): { readonly value: unknown } | undefined {
  return parseRedacted(text, [keyOf(request)])
}

/** The same data without the key, wherever it stands. Throws for what is nested beyond all bounds. */
export function redactKey(value: unknown, request: OutgoingRequest): unknown {
  return redactData(value, [keyOf(request)])
}

function keyOf({ headers }: OutgoingRequest): string {
  const [, authorization = ''] = headers.find(([name]) => name === 'authorization') ?? []
  return authorization.slice(bearer.length)
}
