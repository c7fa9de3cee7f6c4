import type { RequestOutcome, VendorCall } from '../../../engine/model/effect-payloads.ts'
import type { StreamedResponse } from '../../../ports/http-client-port.ts'
import type { ChatDependencies } from '../../dependencies.ts'
import { createEventLoopYield } from '../../turn/yield-to-event-loop.ts'
import { readRefusal } from '../http/read-refusal.ts'
import { eventData } from '../models/sse-parser.ts'
import { parseRedacted } from '../redact-secrets.ts'

/** Receiver of an answer while it comes. */
export interface VendorStreamTerms {
  /** Masked in each piece. */
  readonly secrets: readonly string[]
  /** Called with each piece of text; whether more of it is wanted. */
  onText(text: string): boolean
}

/** The same call, with its answer asked for as a stream. */
export function asStreamed(call: VendorCall): VendorCall {
  return { ...call, json: { ...Object(call.json), response_mode: 'streaming' } }
}

/** Reads the stream of an assistant of Dify. In the end it is the response that would have come whole. */
export async function streamDifyAnswer(
  { status, body }: StreamedResponse,
  { secrets, onText }: VendorStreamTerms,
  { ports }: Pick<ChatDependencies, 'ports'>,
): Promise<RequestOutcome> {
  if (status < 200 || status > 299) return { kind: 'response', status, text: await readRefusal(body) }
  const answer = new DifyAnswer()
  for await (const data of eventData(body, createEventLoopYield(ports))) {
    const event = parseRedacted(data, secrets)?.value
    if (typeof event !== 'object' || event === null) return { kind: 'response', status, text: data }
    const error = errorOf(event)
    if (error) return { kind: 'response', status: error.status, text: JSON.stringify(event) }
    const text = answer.add(event)
    if (text !== '' && !onText(text)) return answer.response
  }
  return answer.isWhole ? answer.response : { kind: 'failed', message: 'The answer broke off' }
}

/** The text of an answer that is whole; undefined where a response holds none. */
export function answerIn({
  status,
  text,
}: {
  readonly status: number
  readonly text: string
}): string | undefined {
  if (status < 200 || status > 299) return undefined
  const { answer } = Object(parseRedacted(text, [])?.value) as DifyEvent
  return typeof answer === 'string' ? answer : undefined
}

interface DifyEvent {
  readonly event?: unknown
  readonly answer?: unknown
  readonly conversation_id?: unknown
  readonly metadata?: unknown
  readonly status?: unknown
}

/** The texts of an assistant, event by event. */
class DifyAnswer {
  #text = ''
  #conversationId: unknown
  #metadata: unknown
  isWhole = false

  /** Takes in an event; gives the text that it adds. */
  add({ event, answer, conversation_id: conversationId, metadata }: DifyEvent): string {
    this.#conversationId ??= conversationId
    const text = typeof answer === 'string' ? answer : ''
    switch (event) {
      case 'message':
      case 'agent_message':
        this.#text += text
        return text
      case 'message_replace':
        // A moderator has its say in place of all that came: what the client has shown stays there.
        this.#text = text
        return ''
      case 'message_end':
        this.#metadata = metadata
        this.isWhole = true
        return ''
      default:
        return ''
    }
  }

  get response(): RequestOutcome {
    const body = { answer: this.#text, conversation_id: this.#conversationId, metadata: this.#metadata }
    return { kind: 'response', status: 200, text: JSON.stringify(body) }
  }
}

/** Events about an error name the status that a whole answer would have had. */
function errorOf({ event, status }: DifyEvent): { readonly status: number } | undefined {
  if (event !== 'error') return undefined
  return { status: typeof status === 'number' && status >= 400 && status <= 599 ? status : 502 }
}
