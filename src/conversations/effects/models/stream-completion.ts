import type { CompletionOutcome, CompletionRequest } from '../../../engine/model/effect-payloads.ts'
import type { StreamedResponse } from '../../../ports/http-client-port.ts'
import type { ChatDependencies } from '../../dependencies.ts'
import { createEventLoopYield } from '../../turn/yield-to-event-loop.ts'
import { readRefusal } from '../http/read-refusal.ts'
import { parseRedacted, redactData } from '../redact-secrets.ts'
import {
  type CompletionOptions,
  type PreparedQuestion,
  prepareQuestion,
  redactedExcerpt,
  refusalOf,
} from './chat-completion-client.ts'
import { eventData } from './sse-parser.ts'

/** Options of a completion whose answer is streamed. */
interface StreamTerms extends CompletionOptions {
  readonly signal: AbortSignal
  /** Called with each piece of text; whether more of it is wanted. */
  onText(text: string): boolean
}

/** As `requestCompletion`, for an answer that is streamed. */
export async function streamCompletion(
  completion: CompletionRequest,
  terms: StreamTerms,
  deps: Pick<ChatDependencies, 'credentials' | 'http' | 'ports'>,
): Promise<CompletionOutcome> {
  const question = prepareQuestion(completion, { ...terms, isStreamed: true }, deps)
  if (!question) return { kind: 'no account' }
  const { signal, mayRepeat } = terms
  try {
    const response = await deps.http.stream(question.request, { isTrusted: true, signal, mayRepeat })
    const isRefusal = response.status < 200 || response.status > 299
    if (isRefusal)
      return refusalOf({ status: response.status, text: await readRefusal(response.body) }, question)
    return await readPieces(response, { question, terms, yieldToEventLoop: createEventLoopYield(deps.ports) })
  } catch (error) {
    return failed(error instanceof Error ? error.message : 'The answer of the model broke off')
  }
}

interface Reading {
  readonly question: PreparedQuestion
  readonly terms: StreamTerms
  readonly yieldToEventLoop: ReturnType<typeof createEventLoopYield>
}

async function readPieces(
  { body }: StreamedResponse,
  { question, terms, yieldToEventLoop }: Reading,
): Promise<CompletionOutcome> {
  const { dialect, secrets } = question
  const answer = dialect.createAccumulator()
  // A key that came in pieces is found once they are together.
  const whole = (body: object) => ({ kind: 'answer', body: redactData(body, secrets) }) as const
  for await (const data of eventData(body, yieldToEventLoop)) {
    if (data.trim() === '[DONE]') return whole(answer.body)
    const chunk = parseRedacted(data, secrets)
    if (!chunk) return failed("The model's server sent what is no JSON", redactedExcerpt(data, question))
    if (dialect.errorIn(chunk.value))
      return failed("The model's server gave up", redactedExcerpt(data, question))
    const text = answer.add(chunk.value)
    if (text !== '' && !terms.onText(text)) return whole(answer.cutOff)
  }
  return answer.finishReason === undefined ? failed('The answer of the model broke off') : whole(answer.body)
}

function failed(message: string, details?: string): CompletionOutcome {
  return { kind: 'failed', message, ...(details !== undefined && { details }) }
}
