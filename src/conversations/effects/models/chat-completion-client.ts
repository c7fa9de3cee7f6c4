import type {
  CompletionOutcome,
  CompletionRequest,
  OutgoingRequest,
} from '../../../engine/model/effect-payloads.ts'
import { detailRefusal } from '../../../engine/values/mask-url.ts'
import type { CredentialScope } from '../../../ports/credentials-port.ts'
import type { TurnDependencies } from '../../dependencies.ts'
import { parseRedacted, redactText } from '../redact-secrets.ts'
import { dialectOf } from './dialects/dialect-of.ts'
import type { ModelDialect } from './dialects/model-dialect.ts'

/** How long one answer of a model may take, in milliseconds. */
export const modelMs = 60_000

/** Characters of an answer that go into a log. */
const mostDetails = 1000

/** Options of a question. */
export interface CompletionOptions {
  readonly scope: CredentialScope
  readonly timeoutMs: number
  /** Gives the request the key of its call. */
  name(request: OutgoingRequest): OutgoingRequest
  /** Whether the question may be asked once more. */
  mayRepeat(): boolean
}

/** A question as it is sent. */
export interface PreparedQuestion {
  readonly request: OutgoingRequest
  readonly dialect: ModelDialect
  /** Masked in all that the server says. */
  readonly secrets: readonly string[]
}

/**
 * Asks a language model with an account of the operator (docs/behaviour/integrations.md, "Chat completion"). The key goes to the
 * address of the account and nowhere else.
 */
export async function requestCompletion(
  completion: CompletionRequest,
  terms: CompletionOptions,
  deps: Pick<TurnDependencies, 'credentials' | 'http' | 'closing'>,
): Promise<CompletionOutcome> {
  const question = prepareQuestion(completion, { ...terms, isStreamed: false }, deps)
  if (!question) return { kind: 'no account' }
  const { mayRepeat } = terms
  const outcome = await deps.http.send(question.request, {
    signal: deps.closing,
    isTrusted: true,
    mayRepeat,
  })
  switch (outcome.kind) {
    case 'response':
      return readAnswer(outcome, question)
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

/** The request to a model's server; undefined when the scope has no such account. */
export function prepareQuestion(
  completion: CompletionRequest,
  { scope, timeoutMs, name, isStreamed }: CompletionOptions & { readonly isStreamed: boolean },
  { credentials }: Pick<TurnDependencies, 'credentials'>,
): PreparedQuestion | undefined {
  const { blockType, credentialsId = `default-${blockType}` } = completion
  const account = credentials.model(credentialsId, blockType, scope)
  if (!account) return undefined
  const dialect = dialectOf(completion)
  const { apiKey, baseUrl, keyHeader, query = '' } = account
  const request = name({
    method: 'POST',
    url: `${baseUrl}${dialect.path}${query}`,
    headers: [
      ...(keyHeader === undefined ? dialect.headersOf(apiKey) : [[keyHeader, apiKey] as const]),
      ['content-type', 'application/json'],
    ],
    body: JSON.stringify(dialect.write(completion, isStreamed)),
    timeoutMs: isStreamed ? timeoutMs : Math.min(timeoutMs, modelMs),
  })
  return { request, dialect, secrets: [apiKey] }
}

function readAnswer(
  { status, text }: { readonly status: number; readonly text: string },
  question: PreparedQuestion,
): CompletionOutcome {
  if (status < 200 || status > 299) return refusalOf({ status, text }, question)
  const parsed = parseRedacted(text, question.secrets)
  return parsed
    ? { kind: 'answer', body: question.dialect.read(parsed.value) }
    : {
        kind: 'failed',
        message: "The model's server answered no JSON",
        details: redactedExcerpt(text, question),
      }
}

/** A refusal of a model's server, for the author. */
export function refusalOf(
  { status, text }: { readonly status: number; readonly text: string },
  question: PreparedQuestion,
): CompletionOutcome {
  const details = detailRefusal(status, redactedExcerpt(text, question))
  return { kind: 'failed', message: `The model's server answered ${status}`, details }
}

/** The part of an answer that an author may be shown: servers repeat keys that they do not like. */
export function redactedExcerpt(text: string, { secrets }: Pick<PreparedQuestion, 'secrets'>): string {
  const parsed = parseRedacted(text, secrets)
  const quoted = parsed ? JSON.stringify(parsed.value) : text
  return redactText(quoted, secrets).slice(0, mostDetails)
}
