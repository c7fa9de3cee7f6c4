import type {
  CompletionOutcome,
  CompletionRequest,
  OutgoingRequest,
} from '../../engine/model/effect-payloads.ts'
import type { StreamedResponse } from '../../ports.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { createGiveWay } from '../turn/give-way.ts'
import {
  type CompletionOptions,
  completionRequest,
  parseAnswer,
  redactedExcerpt,
  redactKey,
} from './chat-completion-client.ts'
import { CompletionAccumulator, errorIn } from './completion-accumulator.ts'
import { eventData } from './sse-parser.ts'

/** Options of a completion whose answer is streamed. */
export interface StreamTerms extends CompletionOptions {
  readonly signal: AbortSignal
  /** Called with each piece of text; whether more of it is wanted. */
  onText(text: string): boolean
}

/** Servers that return usage in any case, and refuse a request for it. */
const tellingUsage = new Set(['mistral'])

/** Bytes of a refusal that are read. */
const mostRefusalBytes = 64 * 1024

/** As `requestCompletion`, for an answer that is streamed. */
export async function streamCompletion(
  completion: CompletionRequest,
  terms: StreamTerms,
  deps: Pick<ChatDependencies, 'credentials' | 'http' | 'ports'>,
): Promise<CompletionOutcome> {
  const tellsUsage = tellingUsage.has(completion.blockType)
  const options = tellsUsage ? { stream: true } : { stream: true, stream_options: { include_usage: true } }
  const body = { ...completion.body, ...options }
  const request = completionRequest({ ...completion, body }, terms, deps)
  if (!request) return { kind: 'no account' }
  const { timeoutMs, signal } = terms
  try {
    const response = await deps.http.stream({ ...request, timeoutMs }, { isTrusted: true, signal })
    const isRefusal = response.status < 200 || response.status > 299
    if (isRefusal) return await readRefusal(response, request)
    return await readPieces(response, { request, terms, giveWay: createGiveWay(deps.ports) })
  } catch (error) {
    return failed(error instanceof Error ? error.message : 'The answer of the model broke off')
  }
}

interface Reading {
  readonly request: OutgoingRequest
  readonly terms: StreamTerms
  readonly giveWay: ReturnType<typeof createGiveWay>
}

async function readPieces(
  { body }: StreamedResponse,
  { request, terms, giveWay }: Reading,
): Promise<CompletionOutcome> {
  const answer = new CompletionAccumulator()
  // A key that came in pieces is found once they are together.
  const whole = (body: object) => ({ kind: 'answer', body: redactKey(body, request) }) as const
  for await (const data of eventData(body, giveWay)) {
    if (data.trim() === '[DONE]') return whole(answer.body)
    const chunk = parseAnswer(data, request)
    if (!chunk) return failed("The model's server sent what is no JSON", redactedExcerpt(data, request))
    if (errorIn(chunk.value)) return failed("The model's server gave up", redactedExcerpt(data, request))
    const text = answer.add(chunk.value)
    if (text !== '' && !terms.onText(text)) return whole(answer.cutOff)
  }
  return answer.finishReason === undefined ? failed('The answer of the model broke off') : whole(answer.body)
}

async function readRefusal(
  { status, body }: StreamedResponse,
  request: OutgoingRequest,
): Promise<CompletionOutcome> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true })
    if (text.length > mostRefusalBytes) break
  }
  return failed(`The model's server answered ${status}`, redactedExcerpt(text, request))
}

function failed(message: string, details?: string): CompletionOutcome {
  return { kind: 'failed', message, ...(details !== undefined && { details }) }
}
