import { type Conversation, type ConversationPlace, createConversation } from './conversation.ts'
import { randomKey } from './random-key.ts'
import { type ClientOptions, createTransport } from './transport.ts'
import type { CheckBody, FlowReport, PreviewAnswer, PreviewBody, StartAnswer, StartBody } from './wire.ts'

export type { Conversation, ConversationPlace, ReplyOptions, SessionEvent } from './conversation.ts'
export { GoneError, RefusedError, StaleError, StreamError, UnreachableError } from './errors.ts'
export type { ClientOptions } from './transport.ts'
export type * from './wire.ts'

/** A conversation with what it began with. */
export interface Started<Answer = StartAnswer> {
  readonly conversation: Conversation
  readonly answer: Answer
}

/** What a client does with a service (docs/client.md). */
export interface Client {
  /** Starts a published flow. With the key of an earlier start that got no answer, there is one session all the same. */
  start(publicId: string, body?: StartBody, key?: string): Promise<Started>
  /** Starts a definition of one's own; the flow id is a label. */
  startPreview(flowId: string, body: PreviewBody, key?: string): Promise<Started<PreviewAnswer>>
  /** What is wrong with a definition; nothing of it is run. */
  check(body: CheckBody, signal?: AbortSignal): Promise<FlowReport>
  /** Goes on with a conversation that began before a reload: `look` says what it waits for. */
  resume(place: ConversationPlace): Conversation
}

/** A client of the service at an address, for browsers and for Node. */
export function createClient(options: ClientOptions): Client {
  const send = createTransport(options)
  const start = async <Answer extends PreviewAnswer>(path: string, body: object, key: string) => {
    const response = await send({ path, body, key })
    const answer = (await response.json()) as Answer
    const version = response.headers.get('etag') ?? undefined
    return { conversation: createConversation(send, { sessionId: answer.sessionId, version }), answer }
  }
  return {
    start: (publicId, body = {}, key = randomKey()) =>
      start<StartAnswer>(`/v1/flows/${encodeURIComponent(publicId)}/startChat`, body, key),
    startPreview: (flowId, body, key = randomKey()) =>
      start<PreviewAnswer>(`/v1/flows/${encodeURIComponent(flowId)}/preview/startChat`, body, key),
    async check(body, signal) {
      return (await send({ path: '/v1/flows/validate', body, signal })).json() as Promise<FlowReport>
    },
    resume: (place) => createConversation(send, place),
  }
}
