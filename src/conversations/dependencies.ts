import type { Limits } from '../engine/model/limits.ts'
import type { Turn } from '../engine/turn/turn.ts'
import type { CodeSandbox } from '../ports/code-sandbox-port.ts'
import type { Credentials } from '../ports/credentials-port.ts'
import type { HttpClient } from '../ports/http-client-port.ts'
import type { HeavyTurns } from '../ports/load-port.ts'
import type { Mailer } from '../ports/mailer-port.ts'
import type { Metrics } from '../ports/metrics-port.ts'
import type { Ports } from '../ports/ports.ts'
import type { RawJsonBody } from '../ports/raw-json-body.ts'
import type { Spans } from '../ports/spans-port.ts'
import type { UploadedFiles } from '../ports/uploaded-files-port.ts'
import type { ContactStore } from '../stores/contact-store.ts'
import type { ConversationStore } from '../stores/conversation-store.ts'
import type { DefinitionStore } from '../stores/definition-store.ts'
import type { FlowTable } from '../stores/flow-table.ts'
import type { PublishedFlows } from '../stores/published-flows.ts'
import type { ResultStore } from '../stores/result-store.ts'
import { type ClientLogRoom, createClientLogRoom } from './continue/client-log-room.ts'
import type { EffectExecutor } from './effects/effect-executor.ts'
import type { EventStreams } from './events/event-streams.ts'
import { createPlaces, type Places } from './events/places.ts'
import { createSessionViews, type SessionViews } from './events/session-views.ts'
import type { ChannelOutput } from './outgoing/channel-output.ts'
import type { Subscribers } from './outgoing/event-subscribers.ts'
import type { DraftBody, ProgramCache, ReadFlow } from './session/program-cache.ts'
import { createStartSnapshotCache, type StartSnapshotCache } from './start/start-snapshot-cache.ts'
import { createStreams, type Streams } from './streaming/streams.ts'
import { createDueSoon, type DueSoon } from './timers/due-soon.ts'

/** How much one turn may do, with what it asks of the world. */
export interface TurnLimits extends Limits {
  /** Characters of one message of a visitor. */
  readonly replyLength: number
  /** A whole turn, outgoing calls included, in milliseconds. */
  readonly wholeTurnMs: number
  /** Outgoing calls of a turn: requests, mails, questions to models. */
  readonly callsPerTurn: number
  /** One piece of code in the sandbox, in milliseconds; undefined for as long as the sandbox lets any code run. */
  readonly codeMs?: number
  /** All code of a turn in the sandbox, in milliseconds. */
  readonly codeTurnMs: number
}

/** Dependencies of the use cases. */
export interface ChatDependencies extends ProcessState {
  readonly ports: Ports
  readonly heavyTurns: HeavyTurns
  readonly limits: TurnLimits
  /** How long sessions live without being used, in milliseconds. */
  readonly sessionTtlMs: number
  /** Replacements for previews that were started without a token. */
  readonly anonymousPreviews: Pick<ChatDependencies, 'limits' | 'ports' | 'heavyTurns'>
  /** Of flows that are or were published. */
  readonly programs: ProgramCache
  /** Of drafts: their senders must not push out the programs of live sessions. */
  readonly drafts: ProgramCache
  readonly published: PublishedFlows
  readonly definitions: DefinitionStore
  /** Stores what turns write, results included. */
  readonly conversations: ConversationStore
  /** For reading. */
  readonly results: ResultStore
  /** For reading; turns write it. */
  readonly contacts: ContactStore
  /** By which contacts are signed; undefined where none can be. */
  readonly contactSecret: string | undefined
  /** Where this service is reached from outside, without a slash at the end; undefined when it is not configured. */
  readonly publicUrl: string | undefined
  /** Whether results can be read. If not, only those of flows that remember their visitors are kept. */
  readonly areResultsRead: boolean
  /** Whether previews send requests: `auto` for those that were started with the token. */
  readonly previewHttp: 'on' | 'off' | 'auto'
  readonly recordings: RecordingTerms
  /** The check of a preview's flow (docs/api.md 2.3): its findings, made in the time of another turn. */
  readonly findingsOfPreview: (
    source: PreviewSource,
    isTrusted: boolean,
    deps: ChatDependencies,
  ) => Promise<readonly object[]>
  /** Performs the effects of turns in the place of what would touch the world. */
  readonly createStandIn?: (turn: Turn) => EffectExecutor
  readonly sandbox: CodeSandbox
  readonly http: HttpClient
  readonly mailer: Mailer
  readonly credentials: Credentials
  /** Uploads of visitors; undefined where none are taken. */
  readonly files: UploadedFiles | undefined
  /** Takes rows of the audit. */
  readonly flowTable: Pick<FlowTable, 'note'>
  readonly eventStreams: Pick<EventStreams, 'admit'>
  /** Those who are told what happens. */
  readonly subscribers: Subscribers
  /** Writes turns for messengers; undefined where there are none. */
  readonly channelOutput?: ChannelOutput | undefined
  /** Called when another system has called a webhook listener. */
  readonly webhookReceived?: ((call: ReceivedWebhook) => void) | undefined
  /** Aborted when outgoing calls have to end, as the service is closing. */
  readonly closing: AbortSignal
  readonly log: ServiceLog
  readonly metrics: Metrics
  /** Undefined where the operator has named no collector. */
  readonly spans?: Spans | undefined
}

/** Where the flow of a preview comes from. */
export interface PreviewSource {
  readonly body: DraftBody
  readonly sentBody: RawJsonBody | undefined
  /** Undefined for a draft. */
  readonly published: ReadFlow | undefined
}

/** State of the use cases between requests. Nothing of it outlives the process. */
interface ProcessState {
  readonly startSnapshots: StartSnapshotCache
  /** Of the logs of clients. */
  readonly clientLogRoom: ClientLogRoom
  /** Of continues that wait for webhooks. */
  readonly webhookWaits: Places
  /** Of those who wait for something to become of a session. */
  readonly sessionViews: SessionViews
  readonly streams: Streams
  readonly dueSoon: DueSoon
}

/** Continues of this process that wait for webhooks at once; any more are to come again later. */
const mostWaiting = 1_000

export function createProcessState(): ProcessState {
  return {
    startSnapshots: createStartSnapshotCache(),
    clientLogRoom: createClientLogRoom(),
    webhookWaits: createPlaces(mostWaiting),
    sessionViews: createSessionViews(),
    streams: createStreams(),
    dueSoon: createDueSoon(),
  }
}

/** A call that is kept with the session that waits for it. */
export interface ReceivedWebhook {
  readonly resultId: string
  readonly sessionId: string
}

/** Bounds of what is written down of sessions, so that they can be run again. */
export interface RecordingTerms {
  /** Characters of one session. */
  readonly maxLength: number
  /** Which live sessions; undefined for none. */
  readonly live?: { readonly share: number; readonly isForErrors: boolean } | undefined
  /** Whether values of marked variables stay in it: of one that is kept nowhere. */
  readonly isPlain?: boolean
}

/** Dependencies of a turn. */
export interface TurnDependencies
  extends Pick<
    ChatDependencies,
    | 'ports'
    | 'heavyTurns'
    | 'limits'
    | 'publicUrl'
    | 'areResultsRead'
    | 'previewHttp'
    | 'sandbox'
    | 'http'
    | 'mailer'
    | 'credentials'
    | 'files'
    | 'createStandIn'
    | 'closing'
    | 'log'
    | 'metrics'
    | 'spans'
  > {
  readonly conversations: Pick<ConversationStore, 'isHeld'>
  readonly published: Pick<PublishedFlows, 'byFlowId'>
}

/** Where defects and failing blocks are reported: never what visitors say, nor the ids of their sessions. */
export interface ServiceLog {
  warn(details: object, message: string): void
  error(details: object, message: string): void
}
