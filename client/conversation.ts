import { StaleError, StreamError } from './errors.js'
import { randomKey } from './random-key.js'
import { readLines } from './read-lines.js'
import type { Answer, Transport } from './transport.js'
import type {
  ClientSideAction,
  ContinueAnswer,
  ContinueBody,
  Message,
  SessionState,
  TraceTurn,
  TranscriptLine,
  UploadOffer,
  UserMessage,
} from './wire.js'

/** What is needed to go on with a conversation after a reload. */
export interface ConversationPlace {
  readonly sessionId: string
  /** The version of the session as this client knows it; undefined takes any. */
  readonly version?: string | undefined
}

/** Something that happened to a session elsewhere. */
export interface SessionEvent {
  /** Messages: the session, or a person, has said something by itself. Reply: the visitor has, to that person. */
  readonly type: 'webhook' | 'messages' | 'reply' | 'updated'
  /** As the conversation has it. */
  readonly version: string
  /** Of the type that has their name. */
  readonly messages?: readonly Message[]
  /** Of the same, where it has some: those that nobody answers. */
  readonly clientSideActions?: readonly ClientSideAction[]
}

/** One conversation, as one visitor leads it. */
export interface Conversation {
  readonly sessionId: string
  /** Changes with every turn. */
  readonly version: string | undefined
  /**
   * Says something, or goes on without a word. Throws StaleError when the conversation has gone on elsewhere. To repeat
   * what got no answer, bring the key that it had.
   */
  reply(message?: UserMessage, options?: ReplyOptions): Promise<ContinueAnswer>
  /** What the session waits for, for a client that was reloaded. From then on its version is the one of here. */
  look(signal?: AbortSignal): Promise<SessionState>
  /** The latest 200 lines of what was said, for a page that did not see it. Refused where results are not kept. */
  transcript(signal?: AbortSignal): Promise<readonly TranscriptLine[]>
  /** Has the next timer of a preview fire now. */
  skipToTimer(): Promise<ContinueAnswer>
  /** Previews only: gives the conversation back to its flow, which a person leads. A look has what the flow says then. */
  giveBack(): Promise<void>
  /** What a model says, piece by piece, after an action `stream`; its whole text is the reply that is due then. */
  stream(signal?: AbortSignal): AsyncGenerator<string, void>
  /** Uploads a file to the input that waits, and returns the address that is the reply to it. */
  upload(file: Blob & { readonly name?: string }, signal?: AbortSignal): Promise<string>
  /** What happens to the session elsewhere since its version of here, until the signal ends it or the session ends. */
  events(signal?: AbortSignal): AsyncGenerator<SessionEvent, void>
  /** What the turns of a preview did that was started with `trace`. */
  trace(): Promise<readonly TraceTurn[]>
  /** The file with which a preview that was started with `record` can be run again. */
  recording(): Promise<unknown>
  /** Reports to the author of the flow what went wrong on the visitor's side, or what was left out there (`info`). */
  report(description: string, details?: string, status?: 'error' | 'info'): Promise<void>
}

export interface ReplyOptions {
  /** 20 to 255 characters that name this reply; a random one unless given. */
  readonly key?: string
  readonly format?: ContinueBody['textBubbleContentFormat']
  /** Previews only: values of variables by name, set before the message is handed over. */
  readonly setVariables?: ContinueBody['setVariables']
  /** Answers whatever waits now, also when it is something else than what this client has seen. */
  readonly takesAnyVersion?: boolean
  readonly signal?: AbortSignal
}

/** A conversation that is under way. */
export function createConversation(
  { ask, open }: Transport,
  { sessionId, version: known }: ConversationPlace,
): Conversation {
  let version = known
  const path = `/v1/sessions/${encodeURIComponent(sessionId)}`
  const learn = (answer: Answer): unknown => {
    version = answer.version
    return answer.body
  }
  return {
    sessionId,
    get version() {
      return version
    },

    async reply(message, { key = randomKey(), format, setVariables, takesAnyVersion = false, signal } = {}) {
      const body = {
        ...(message !== undefined && { message }),
        ...(format && { textBubbleContentFormat: format }),
        ...(setVariables && { setVariables }),
      }
      const headers: Record<string, string> =
        version === undefined || takesAnyVersion ? {} : { 'if-match': version }
      try {
        const answer = await ask({ path: `${path}/continueChat`, body, headers, key, signal })
        return learn(answer) as ContinueAnswer
      } catch (error) {
        // The next reply answers what the caller has received.
        if (error instanceof StaleError) version = error.version
        throw error
      }
    },

    async look(signal) {
      return learn(await ask({ method: 'GET', path, signal })) as SessionState
    },

    async transcript(signal) {
      const { body } = await ask({ method: 'GET', path: `${path}/transcript?limit=200`, signal })
      return (body as { readonly lines: readonly TranscriptLine[] }).lines
    },

    async skipToTimer() {
      return learn(await ask({ path: `${path}/skipToTimer` })) as ContinueAnswer
    },

    async giveBack() {
      await ask({ method: 'PATCH', path, body: { status: 'open' } })
    },

    async *stream(signal) {
      const streamed = `/v2/sessions/${encodeURIComponent(sessionId)}/streamMessage`
      const response = await open({ path: streamed, signal })
      for await (const line of readLines(response)) {
        const value: unknown = JSON.parse(line.slice(2))
        if (line.startsWith('0:')) yield String(value)
        if (line.startsWith('3:')) throw new StreamError(describeBreak(value))
      }
    },

    async upload(file, signal) {
      const asked = { sessionId, fileName: file.name, fileType: file.type, fileSize: file.size }
      const offered = await ask({ path: '/v3/generate-upload-url', body: asked, signal })
      const { presignedUrl, fileUrl, fileType } = offered.body as UploadOffer
      const headers = { 'content-type': fileType ?? file.type }
      // By this parameter an address is known that a server of S3 has to take.
      const isElsewhere = new URL(presignedUrl).searchParams.has('X-Amz-Signature')
      const path = isElsewhere ? presignedUrl : pathOf(presignedUrl)
      await ask({ method: 'PUT', path, isElsewhere, body: file, headers, signal })
      return fileUrl
    },

    async *events(signal) {
      const headers: Record<string, string> =
        version === undefined ? {} : { 'last-event-id': version.split('"')[1] ?? version }
      const response = await open({ method: 'GET', path: `${path}/events`, headers, signal })
      let type = ''
      for await (const line of readLines(response)) {
        if (line.startsWith('event:')) type = line.slice(6).trim()
        if (!line.startsWith('data:')) continue
        const event = JSON.parse(line.slice(5)) as SessionEvent
        yield { ...event, type: type as SessionEvent['type'], version: `"${event.version}"` }
      }
    },

    async trace() {
      const { body } = await ask({ method: 'GET', path: `${path}/trace` })
      return (body as { readonly turns: readonly TraceTurn[] }).turns
    },

    async recording() {
      return (await ask({ method: 'GET', path: `${path}/recording` })).body
    },

    async report(description, details, status = 'error') {
      const log = { status, description, ...(details !== undefined && { details }) }
      const logs = `/v2/sessions/${encodeURIComponent(sessionId)}/clientLogs`
      await ask({ path: logs, body: { clientLogs: [log] } })
    },
  }
}

/** The service is asked where this client reaches it, whatever address it has for itself. */
function pathOf(address: string): string {
  const { pathname, search } = new URL(address)
  return pathname + search
}

function describeBreak(record: unknown): string {
  try {
    const { description } = JSON.parse(String(record)) as { readonly description?: string }
    return description ?? 'The answer broke off'
  } catch {
    return 'The answer broke off'
  }
}
