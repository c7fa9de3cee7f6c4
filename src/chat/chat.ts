import type { ClientLogsBody } from '../../schemas/client-logs.ts'
import type { ContinueChatBody } from '../../schemas/continue-chat.ts'
import type { PaymentEvent } from '../../schemas/payment-event.ts'
import type { StartChatBody, StartPreviewChatBody } from '../../schemas/start-chat.ts'
import type { TurnTrace } from '../../schemas/trace.ts'
import type { ValidateFlowBody, ValidatePublishedBody } from '../../schemas/validate-flow.ts'
import type { ByteString } from '../byte-string.ts'
import type { FlowReport } from '../lint/flow-report.ts'
import type { Caller } from '../ports/caller.ts'
import type { CachedDraft, RawJsonBody } from '../ports/raw-json-body.ts'
import type { OnFlow, RequestTrace } from '../ports/request-trace-port.ts'
import type { IdempotencyKey } from '../stores/conversation-store.ts'
import type { RecordingFile } from './recording/recording-file.ts'

/** What the service can do with a conversation. What starts and goes on answers the finished JSON of a response. */
export interface Chat {
  /** Starts a session on a published flow (docs/api.md 4.1). Throws `ServiceError`. */
  startPublished(request: StartPublishedRequest): Promise<ByteString>
  /** Starts a session on a definition that comes along (docs/api.md 4.2). Throws `ServiceError`. */
  startPreview(request: StartPreviewRequest): Promise<ByteString>
  /** The draft of a preview start that has the body of this name, where it is ready to run. */
  recallDraft(name: string): CachedDraft | undefined
  /** Checks a definition, and runs nothing of it (docs/api.md 4.17). Throws `ServiceError`. */
  validate(request: ValidateRequest): Promise<FlowReport>
  /** Likewise, a published flow. Throws `ServiceError`. */
  validatePublished(request: ValidatePublishedRequest): Promise<FlowReport>
  /** Goes on with a session (docs/api.md 4.3). Throws `ServiceError`. */
  continue(request: ContinueRequest): Promise<ByteString>
  /** Returns the state of a session, and changes nothing (docs/api.md 4.13). Throws `ServiceError`. */
  getSession(request: GetSessionRequest): Promise<ByteString>
  /** Follows what happens to a session (docs/api.md 4.15). Throws `ServiceError`. */
  follow(request: FollowRequest): Promise<AsyncIterable<SessionEvent>>
  /** Returns what the turns of a traced preview did (docs/debug.md). Throws `ServiceError`. */
  trace(request: TraceRequest): Promise<TurnTrace[]>
  /** Returns what it takes to run a recorded preview again (docs/debug.md). Throws `ServiceError`. */
  recording(request: RecordingRequest): Promise<RecordingFile>
  /** Likewise, for the live session of a result. Throws `ServiceError`. */
  resultRecording(request: ResultRecordingRequest): Promise<RecordingFile>
  /** Follows what the turns of a traced preview do; `since` is the number of a turn. Throws `ServiceError`. */
  followTrace(request: FollowRequest): Promise<AsyncIterable<TraceEvent>>
  /** Adds what a client reports to the result of its session (docs/api.md 4.4). Throws `ServiceError`. */
  saveClientLogs(request: SaveClientLogsRequest): Promise<void>
  /** Moves a session to the published version of its flow (docs/api.md 4.5). Throws `ServiceError`. */
  updateFlow(request: UpdateFlowRequest): Promise<void>
  /** Returns the id of the session that wrote to a result last. Throws `ServiceError`. */
  sessionOfResult(request: ResultRequest): Promise<string>
  /**
   * Hands a payload of another system to the session that waits for it (docs/behaviour.md), whose id it returns. Throws
   * `ServiceError`.
   */
  executeWebhook(request: ExecuteWebhookRequest): Promise<string>
  /** What another system has sent to a session, as its client would reply it; undefined where nothing waits to be taken. */
  readWebhook(sessionId: string): Promise<string | undefined>
  /** Whether a session is an author's preview, on an id of ours, that waits for another system at a block. */
  isPreviewListening(request: PreviewListener): Promise<boolean>
  /** Handles an event of the provider of payments (docs/api.md 4.20). Throws `ServiceError`. */
  confirmPayment(request: ConfirmPaymentRequest): Promise<void>
  /**
   * Streams the answer of the model that a session waits for, record by record (docs/api.md, "Streaming an answer"). Throws
   * `ServiceError`.
   */
  streamMessage(request: StreamMessageRequest): Promise<AsyncIterable<string>>
}

/** A request that the log of the service can name. */
export interface Traced {
  /** Absent where nothing keeps track of requests. */
  readonly trace?: RequestTrace | undefined
}

export interface StreamMessageRequest extends Traced {
  readonly sessionId: string
  readonly caller: Caller
  /** The `Origin` header, which browsers send. */
  readonly origin: string | undefined
  /** Aborted when the caller hangs up. */
  readonly signal: AbortSignal
}

/** A request that may be repeated without being done again (docs/api.md, "Repeating a request"). */
export interface Repeatable {
  /** The `Idempotency-Key` of the request; absent where it has none. */
  readonly idempotency?: Repetition | undefined
}

export interface Repetition extends IdempotencyKey {
  /** Called when the answer is what an earlier request with this key was answered. */
  replayed(): void
}

/** A request whose answer belongs to one version of a session (docs/api.md, "Versions of a session"). */
export interface Versioned {
  /** Called with the version before the answer, or the refusal of a stale request, is there. */
  readonly onVersion?: ((version: string) => void) | undefined
}

export interface GetSessionRequest extends Versioned {
  readonly sessionId: string
  readonly caller: Caller
  /** The `Origin` header, which browsers send. */
  readonly origin: string | undefined
  readonly onFlow?: OnFlow | undefined
}

export interface FollowRequest extends Omit<GetSessionRequest, 'onVersion'> {
  /** The version that the client knows; absent for the present one. */
  readonly since?: string | undefined
  /** Aborted when the stream is to end. */
  readonly signal: AbortSignal
}

export interface TraceRequest extends Pick<GetSessionRequest, 'sessionId' | 'caller'> {
  /** Turns up to this one are left out. */
  readonly after?: number | undefined
}

export interface RecordingRequest extends Pick<GetSessionRequest, 'sessionId' | 'caller'> {}

export interface ResultRecordingRequest {
  /** The public id of a published flow, else the flow's own id. */
  readonly publicId: string
  readonly resultId: string
}

/** A turn of a traced preview. */
export interface TraceEvent {
  readonly type: 'turn'
  /** The number of the turn. */
  readonly version: string
  /** JSON. */
  readonly data: string
}

/** Webhook: a payload came in for the listener where the session waits. Updated: a turn was taken. */
export interface SessionEvent {
  readonly type: 'webhook' | 'updated'
  /** Of the session, after what happened. */
  readonly version: string
}

/** How long a continue that comes to a webhook listener before its call may wait for it. */
export interface Patience {
  readonly waitMs: number
  /** Aborted when the client has gone, or the service closes. Called when it waits. */
  signal(): AbortSignal
}

export interface StartPublishedRequest extends Repeatable, Versioned, Traced {
  readonly publicId: string
  /** The `Origin` header, which browsers send. */
  readonly origin: string | undefined
  readonly body: StartChatBody
}

export interface StartPreviewRequest extends Repeatable, Versioned, Traced {
  readonly flowId: string
  readonly caller: Caller
  readonly body: StartPreviewChatBody
  /** What the body was read from; undefined when there was none. */
  readonly sentBody: RawJsonBody | undefined
}

export interface ValidateRequest {
  readonly caller: Caller
  readonly body: ValidateFlowBody
}

export interface ValidatePublishedRequest {
  readonly publicId: string
  readonly body: ValidatePublishedBody
}

export interface ContinueRequest extends Repeatable, Versioned, Traced {
  /** The versions of the session that the request accepts; absent for any. */
  readonly ifVersion?: readonly string[] | undefined
  /** Absent for none. */
  readonly patience?: Patience | undefined
  readonly sessionId: string
  readonly caller: Caller
  /** The `Origin` header, which browsers send. */
  readonly origin: string | undefined
  readonly body: ContinueChatBody
}

export interface SaveClientLogsRequest {
  /** Fit for headers and logs; kept with the logs. */
  readonly requestId?: string | undefined
  readonly sessionId: string
  readonly caller: Caller
  /** The `Origin` header, which browsers send. */
  readonly origin: string | undefined
  readonly onFlow?: OnFlow | undefined
  readonly body: ClientLogsBody
}

export interface UpdateFlowRequest {
  readonly sessionId: string
  readonly onFlow?: OnFlow | undefined
}

export interface ResultRequest {
  /** The id of the flow that the result belongs to, or its public id. */
  readonly flowId: string
  readonly resultId: string
}

export interface ExecuteWebhookRequest extends ResultRequest {
  readonly blockId: string
  readonly onFlow?: OnFlow | undefined
  /** A JSON object. */
  readonly payload: object
}

export interface PreviewListener {
  readonly sessionId: string
  /** The id of its definition. */
  readonly flowId: string
  readonly blockId: string
}

export interface ConfirmPaymentRequest {
  /** The id of the account at the provider. */
  readonly accountId: string
  /** The header by which the provider is known; undefined when it is missing. */
  readonly signature: string | undefined
  /** The body as it was sent, and what it says. */
  readonly text: string
  readonly event: PaymentEvent
  readonly onFlow?: OnFlow | undefined
}
