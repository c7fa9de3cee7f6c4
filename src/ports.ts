import type { Readable } from 'node:stream'
import type {
  CodeJob,
  CodeResult,
  CompletionOutcome,
  Mail,
  MailOutcome,
  OutgoingRequest,
  RequestOutcome,
} from './engine/model/effect-payloads.ts'
import type { TurnLimit } from './engine/model/limits.ts'
import type { Program } from './engine/model/program.ts'

/** What a turn may call outside itself. Tests hand in fixed ones; adapters hold the real ones. */
export interface Ports {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds that only ever grow, for measuring how long something took. */
  elapsed(): number
  /** Evenly from [0, 1). */
  random(): number
  /** A secret of at least 120 bits. The purpose lets a test tell ids apart; it may not show in the id. */
  createId(purpose: 'session' | 'result' | 'value' | 'upload'): string
  /** Resolves once whatever else is waiting had its turn. */
  nextTurn(): Promise<void>
  /**
   * Resolves once work may begin: between two turns of what waits, in the order of arrival. Undefined where nothing
   * waits, and work may begin at once.
   */
  firstTurn(): Promise<void> | undefined
}

/** Decides which turns may go on that take longer than one slice of time. */
export interface HeavyTurns {
  /** Whether there is room for one more. Conversations under way are the last to be refused. */
  admit(entry: 'start' | 'continue'): boolean
}

/** What the process carries just now. */
export interface Load {
  /** Milliseconds that events wait for their turn, on the average of the last few seconds. */
  readonly delayMs: number
  readonly heapBytes: number
  /** Memory of the whole process, with that of its threads and of what lies outside of the heap. */
  readonly rssBytes: number
}

/** Who asks: anybody, whoever holds the preview token, or an operator. */
export type Caller =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'preview' }
  | { readonly kind: 'admin'; readonly name: string }

/** A body of JSON as it came in. */
export interface RawJsonBody {
  /** Made of its bytes: what has the same name is the same, byte by byte. */
  readonly name: string
  /** Put together when it is asked for. */
  readonly text: string
  /** The draft in it, where that is ready to run: the body has not been read again. */
  readonly draft: CachedDraft | undefined
}

/** A draft that came before, with what came along. */
export interface CachedDraft {
  readonly program: Program
  /** All of the body save for the flow. */
  readonly body: object
}

/** Where an uploaded file is kept. The service makes each of the names itself. */
export interface FilePlace {
  /**
   * Names the conversation that the file belongs to: 32 hexadecimal digits, behind `preview-` for one whose files
   * are soon of no use to anybody.
   */
  readonly owner: string
  readonly name: string
  readonly isPrivate: boolean
}

/** A file that is about to be read. It is either read or closed. */
export interface OpenFile {
  readonly size: number
  /** The content, or a part of it; both ends are included. */
  read(part?: { readonly start: number; readonly end: number }): Readable
  close(): Promise<void>
}

/** What became of a file; `owner full`: its owner has no room left, though there is some. */
export type SaveOutcome = 'saved' | 'exists' | 'too large' | 'owner full' | 'full' | 'disk full' | 'erased'

/** Keeps uploaded files, up to a bound for all of them together and for each owner, and for a time. */
export interface UploadedFiles {
  /**
   * Keeps a file. Of one that is not saved nothing is left; one that is there stays as it is, and of several that
   * are written at once the first to be whole is kept. Throws what the content throws, and for a place that the
   * service did not make.
   */
  save(place: FilePlace, content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<SaveOutcome>
  /** Undefined when there is no such file. */
  open(place: FilePlace): Promise<OpenFile | undefined>
  /** Whether a file of this many bytes may still be kept for an owner. */
  roomFor(owner: string, bytes: number): Promise<'enough' | 'owner full' | 'full'>
  /** Erases every file of an owner, and keeps none for a quarter of an hour. */
  removeOwned(owner: string): Promise<void>
  /** Waits for what is running, and lets go of everything. The files are not used afterwards. */
  close(): Promise<void>
}

/** Runs code of flows where it can do no harm. It has its own limits on time, memory and depth. */
export interface CodeSandbox {
  /** Never rejects. */
  run(job: CodeJob, terms?: CodeTerms): Promise<CodeResult>
  /** Ends what runs. */
  close(): Promise<void>
}

/** On what terms code is run. */
export interface CodeTerms {
  /** Whose code it is; undefined for nobody's in particular. */
  readonly owner?: CodeOwner
  /** Milliseconds that it may run, where that is less than any code may. */
  readonly limitMs?: number | undefined
  /** Serves code that may fetch: it gives the text of a response, or rejects for the code. */
  readonly fetch?: SandboxFetch
}

/** Who shares the sandbox with others: a published flow, or a preview. */
export interface CodeOwner {
  readonly kind: 'live' | 'preview'
  readonly id: string
}

export type SandboxFetch = (address: string, init: unknown) => Promise<string>

/** Sends requests of flows to where flows may reach. */
export interface HttpClient {
  /** Never rejects. An aborted request has failed. */
  send(request: OutgoingRequest, options?: OutgoingOptions): Promise<RequestOutcome>
  /** As `send`, for a response that is read piece by piece. Rejects with an error for people. */
  stream(request: OutgoingRequest, options?: OutgoingOptions): Promise<StreamedResponse>
  close(): Promise<void>
}

export interface OutgoingOptions {
  readonly signal?: AbortSignal | undefined
  /** The address comes from the operator, and not from a flow. */
  readonly isTrusted?: boolean
}

export interface StreamedResponse {
  readonly status: number
  readonly body: AsyncIterable<Uint8Array>
}

/** Sends mails of flows. */
export interface Mailer {
  /** Never rejects. */
  send(mail: ResolvedMail, signal?: AbortSignal): Promise<MailOutcome>
  close(): Promise<void>
}

/** A mail with its sender's account and its files at hand. */
export interface ResolvedMail extends Omit<Mail, 'attachments' | 'credentialsId'> {
  readonly account: MailAccount
  readonly attachments: readonly { readonly filename: string; readonly content: Uint8Array }[]
}

export interface MailAccount {
  readonly host: string
  readonly port: number
  readonly username?: string
  readonly password?: string
  /** TLS from the first byte; undefined for what the port usually means. */
  readonly isTlsEnabled?: boolean
  /** No TLS at all, not even when it is offered. */
  readonly ignoresTls?: boolean
  readonly from: { readonly email: string; readonly name?: string }
}

/** Accounts that the operator lends to flows, by id. What they hold is told to nobody. */
export interface Credentials {
  mailAccount(id: string, borrower: CredentialScope): MailAccount | undefined
  model(id: string, type: string, borrower: CredentialScope): ModelAccount | undefined
  vendor(id: string, type: string, borrower: CredentialScope): VendorAccount | undefined
}

/** An account at a vendor's service, as what it adds to a request. */
export interface VendorAccount {
  /** Without a slash at the end. */
  readonly baseUrl: string
  /** What is masked in everything that the service answers. */
  readonly secrets: readonly string[]
  /** What proves the account; undefined where it has no key for this purpose. */
  grant(purpose: string | undefined): VendorGrant | undefined
  /** Fetches a token that each request has to carry, where a key is not enough. */
  readonly login?: VendorLogin
  /** Responses that later calls may be answered with, by address. */
  readonly recent: Map<string, { readonly text: string; readonly at: number }>
  /** Signs claims as a JSON web token, where the account is for that. */
  sign?(claims: Readonly<Record<string, unknown>>): string
}

/** How an account gets the token that its requests carry. Moments are in milliseconds since 1970. */
export interface VendorLogin {
  /** The token that was fetched last, while it is good. */
  current(now: number): string | undefined
  /** The request for a token. */
  request(now: number): Omit<OutgoingRequest, 'timeoutMs'>
  /** Takes the token from the response to that request; undefined for any other response. */
  keep(text: string, now: number): string | undefined
}

export interface VendorGrant {
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** Fields of the JSON body. */
  readonly json?: Readonly<Record<string, unknown>>
  /** What the flow may know of the account. */
  readonly facts?: Readonly<Record<string, string>>
}

/** Who wants to use credentials. */
export interface CredentialScope {
  /** Of a published flow; a draft proves nothing by what it calls itself. */
  readonly flowId: string | undefined
  /** Of the published flow; a draft proves none. */
  readonly workspaceId: string | undefined
  readonly kind: 'live' | 'trusted preview' | 'preview'
}

export interface ModelAccount {
  readonly apiKey: string
  /** Without a slash at the end. */
  readonly baseUrl: string
}

/**
 * Counts what happens, for whoever operates the service. No method throws, and each costs next to nothing: some are
 * called several times in each turn. Nothing that strangers could choose the values of is ever told.
 */
export interface Metrics {
  /** The route is the template of an address. */
  requestAnswered(request: { method: string; route: string; status: number; ms: number }): void
  turnDone(turn: TurnMeasures): void
  limitReached(limit: LimitName): void
  draftRead(outcome: 'compiled' | 'cached' | 'refused'): void
  /** A turn was refused as too many heavy ones were waiting. */
  heavyTurnRefused(turn: 'preview' | 'start' | 'continue'): void
  codeDone(result: CodeResult): void
  /** A thread of the sandbox was ended, or broke. */
  codeThreadLost(): void
  requestDone(outcome: RequestOutcome): void
  mailDone(outcome: MailOutcome): void
  questionDone(outcome: CompletionOutcome): void
}

/** What a turn took. */
export interface TurnMeasures {
  readonly kind: 'live' | 'preview'
  readonly entry: 'start' | 'continue'
  /** That were executed. */
  readonly blocks: number
  /** Waiting for others left out. */
  readonly engineMs: number
}

/** What a turn can come up against, by the names of the configuration. */
export type LimitName = TurnLimit | 'wholeTurnMs' | 'callsPerTurn' | 'codeTurnMs'

export type {
  CodeJob,
  CodeResult,
  CompletionOutcome,
  Mail,
  MailOutcome,
  OutgoingRequest,
  RequestOutcome,
} from './engine/model/effect-payloads.ts'
export type { TurnLimit } from './engine/model/limits.ts'
export type { StoreUsage } from './stores/store-usage.ts'
export type { CountedUpload, SharedUploadCounts, UploadLimits } from './stores/upload-counts.ts'

/** The request that a turn is run for, as the log of the service names it. */
export interface RequestTrace {
  /** Fit for headers and logs. */
  readonly requestId: string
  /** Called once with what the turn came to; not where no turn is run. */
  turnDone(summary: TurnSummary): void
}

/** Is told what the log of the service calls the flow of a request, once that is known: its public id, or `preview`. */
export type OnFlow = (flow: string) => void

/** What the log of the service says of a turn: nothing of what anybody said. */
export interface TurnSummary {
  /** The public id of the flow that was started; `preview` for a preview. */
  readonly flow: string
  /** Blocks that ran. */
  readonly blocks: number
  /** Milliseconds of engine time, outgoing calls excluded. */
  readonly engineMs: number
  readonly hasErrorLogs: boolean
}
