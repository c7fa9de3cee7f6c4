import { type Conversation, type ConversationPlace, createConversation } from './conversation.js'
import { randomKey } from './random-key.js'
import { type ClientOptions, createTransport } from './transport.js'
import type { CheckBody, FlowReport, PreviewAnswer, PreviewBody, StartAnswer, StartBody } from './wire.js'

export type { Conversation, ConversationPlace, ReplyOptions, SessionEvent } from './conversation.js'
export { GoneError, RefusedError, StaleError, StreamError, UnreachableError } from './errors.js'
export type { ClientOptions } from './transport.js'
export type * from './wire.js'

/** A conversation with what it began with. */
export interface Started<Answer = StartAnswer> {
  readonly conversation: Conversation
  readonly answer: Answer
}

export interface StartOptions {
  /** That of an earlier start which got no answer, 20 to 255 characters: there is one session all the same. */
  readonly key?: string
  readonly signal?: AbortSignal
}

/** What a client does with a service (docs/client.md). */
export interface Client {
  /** Starts a published flow. */
  start(publicId: string, body?: StartBody, options?: StartOptions): Promise<Started>
  /** Starts a definition of one's own; the flow id is a label. */
  startPreview(flowId: string, body: PreviewBody, options?: StartOptions): Promise<Started<PreviewAnswer>>
  /** What is wrong with a definition; nothing of it is run. */
  check(body: CheckBody, signal?: AbortSignal): Promise<FlowReport>
  /** Goes on with a conversation that began before a reload: `look` says what it waits for. */
  resume(place: ConversationPlace): Conversation
}

/** A client of the service at an address, for browsers and for Node. */
export function createClient(options: ClientOptions): Client {
  const transport = createTransport(options)
  const start = async <Answer extends PreviewAnswer>(
    path: string,
    body: object,
    { key = randomKey(), signal }: StartOptions = {},
  ) => {
    const { body: given, version } = await transport.ask({ path, body, key, signal })
    const answer = given as Answer
    return { conversation: createConversation(transport, { sessionId: answer.sessionId, version }), answer }
  }
  return {
    start: (publicId, body = {}, asked) =>
      start<StartAnswer>(`/v1/flows/${encodeURIComponent(publicId)}/startChat`, body, asked),
    startPreview: (flowId, body, asked) =>
      start<PreviewAnswer>(`/v1/flows/${encodeURIComponent(flowId)}/preview/startChat`, body, asked),
    async check(body, signal) {
      return (await transport.ask({ path: '/v1/flows/validate', body, signal })).body as FlowReport
    },
    resume: (place) => createConversation(transport, place),
  }
}
