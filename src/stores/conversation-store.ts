import type { Log } from '../../schemas/log.ts'
import type { Session } from '../sessions/session.ts'
import type { ContactWrite } from './contact-store.ts'
import type { TurnFacts } from './counts/turn-facts.ts'
import type { OutgoingEvent } from './outgoing/outbox-store.ts'
import type { ResultUpdate } from './result-store.ts'
import type { StoreUsage } from './store-usage.ts'

/**
 * Keeps conversations, the results that they write and the answers to requests with an `Idempotency-Key`. A turn
 * enters a conversation, and ends in one commit of all that it changed, or in a release that changes nothing.
 *
 * Turns of one session id are admitted one at a time over all processes that share the back end, in order of arrival
 * within each. What is handed in and out is never shared with what is kept. A store may be bounded, and then forgets what was
 * left alone for longest. `test/stores/contracts/conversation-store.ts` is the definition in full.
 */
export interface ConversationStore {
  /**
   * The conversation as of its last commit, its time to live renewed; it may change at any time. One id covers live
   * and preview sessions, the live one first. Undefined when there is none, or its time has passed.
   */
  look(id: string): Promise<StoredConversation | undefined>
  /**
   * Why there is no conversation of an id: expired, where its time has passed or others needed the room, not longer than
   * one time to live ago, as far as that is remembered; else unknown, and so is one that was erased. Nothing but a hash
   * of the id is remembered.
   */
  whyMissing(id: string): Promise<'expired' | 'unknown'>
  /**
   * Enters the conversation of an id, live first, once it is the turn of this request. A request whose key is known
   * is answered at once, without waiting.
   */
  enter(request: EnterRequest): Promise<Entered | NotEntered>
  /** Enters where nothing may be yet: a preview start on a given id, and every start with an `Idempotency-Key`. */
  enterStart(request: EnterStartRequest): Promise<EnteredStart | NotEntered>
  /** Whether the lease is still held: to be asked before each effect on others. */
  isHeld(lease: Lease): Promise<boolean>
  /**
   * Keeps the session, every change of results and the answer as one unit, gives the lease back and lets the next
   * request enter. Returns the new revision; undefined, with nothing kept, when the lease was lost meanwhile.
   * Throws PAYLOAD_TOO_LARGE, and leaves everything as it was, when the store could never hold it; the lease is then
   * still to be released.
   */
  commit(lease: Lease, turn: TurnCommit): Promise<number | undefined>
  /**
   * Gives the lease and the idempotency key back, and changes nothing else. Does nothing after a commit, after a loss
   * and when called again, so that it can stand in a `finally`.
   */
  release(lease: Lease): Promise<void>
  /**
   * Keeps a new conversation under an id that no other caller knows, with its results, as one unit and without a lease.
   * One whose id was erased is not kept. Throws as `commit` does.
   */
  start(first: FirstCommit): Promise<void>
  /**
   * Erases a live session and the answers kept with it, after the turns that came before; those that wait behind it
   * find nothing. The id stays erased: no later commit and no later start brings it back.
   * Throws TOO_MANY_REQUESTS when too many turns are waiting.
   */
  erase(id: string): Promise<void>
  /** The same for those of the ids where no turn is under way or waits. The others, which are left as they are. */
  eraseIdle(ids: readonly string[]): Promise<readonly string[]>
  /**
   * Appends logs to a result without entering the conversation that writes to it; once for each key, however often it
   * is called. False when there is no such result.
   */
  appendClientLogs(report: ClientLogs): Promise<boolean>
  /**
   * Keeps a payload with a live session that is still at the revision that was looked at; false, with nothing kept,
   * when it has moved on or is gone. It takes the place of one that is there, changes no revision, and is kept also
   * while a turn is under way.
   */
  receiveWebhook(webhook: WebhookReceipt): Promise<boolean>
  /**
   * Calls `wake` after every commit, webhook payload and erasure of an id, in whatever process, from the moment it
   * returns. Look afterwards, since wakes may be repeated or joined. Returns what ends it.
   */
  subscribe(id: string, wake: () => void): Promise<() => void>
  /** Sessions with a timer that is due and that nobody is in, the earliest first, at most so many. */
  due(limit: number): Promise<readonly DueSession[]>
  /** Calls `wake` after each commit of this process that puts something out. Returns what ends it. */
  watchOutgoing(wake: () => void): () => void
  usage(): Promise<ConversationUsage>
  /** Gives up what the process holds: leases that are still held are lost. The store is not used afterwards. */
  close(): Promise<void>
}

/** A session that has a timer due, as of a revision. */
export interface DueSession {
  readonly id: string
  readonly revision: number
}

/** A conversation as it is kept. */
export interface StoredConversation {
  readonly session: Session
  /** Grows with each commit; a start has 1. */
  readonly revision: number
  readonly payload?: WebhookPayload | undefined
}

/** A payload for the webhook listener where the session waits, which no turn has taken yet. */
export interface WebhookPayload {
  /** Grows with each payload as long as the revision stays the same. */
  readonly number: number
  /** JSON. */
  readonly text: string
}

/** The `Idempotency-Key` of a request, hashed, with what distinguishes its body from others. */
export interface IdempotencyKey {
  readonly key: string
  readonly fingerprint: string
}

export interface EnterRequest {
  readonly id: string
  /** Refused as too many, where a turn is under way or waits. */
  readonly isIdleOnly?: boolean | undefined
  /** A key counts for one session id. */
  readonly idempotency?: IdempotencyKey | undefined
}

export type EnterStartRequest =
  /** A preview start on an id of the caller's choice, whatever is there. The key counts for that id. */
  | { readonly previewId: string; readonly idempotency?: IdempotencyKey | undefined }
  /**
   * A start with a key, which counts for all starts: the first claim fixes the session id, and a repetition gets that
   * one when the process of the first has ended without a commit or a release.
   */
  | { readonly newId: string; readonly idempotency: IdempotencyKey }

/** The right to commit to a conversation. It renews itself until it is committed or released. */
export interface Lease {
  /** The session id that was entered. */
  readonly id: string
  /** Of the conversation that was found there; 0 for a start where there was none. */
  readonly revision: number
}

export interface Entered {
  readonly state: 'entered'
  readonly lease: Lease
  readonly conversation: StoredConversation
}

export interface EnteredStart {
  readonly state: 'entered'
  /** Its id is the one to start under. */
  readonly lease: Lease
}

/** Stands for an answer whose text has made room for others: that there was one is known for as long as it would be. */
export const droppedAnswer = ''

export type NotEntered =
  /** The request was answered before; `droppedAnswer` where the text is not there any more. */
  | { readonly state: 'answered'; readonly answer: string }
  /** The request is being answered. */
  | { readonly state: 'running' }
  /** The key was used with another fingerprint. */
  | { readonly state: 'other request' }
  | { readonly state: 'too many waiting' }
  | { readonly state: 'not found' }

export interface FirstCommit {
  readonly session: Session
  /** Changes of different results. */
  readonly results: readonly ResultUpdate[]
  /** Live sessions that are held with somebody only. Nothing is kept where the person was erased since. */
  readonly contact?: ContactWrite | undefined
  /** Of the visitor who starts: where room is bounded, results of one address never take that of all others. Nothing of it is kept. */
  readonly address?: string | undefined
  /** Sent once the turn is kept, by an `OutboxStore`. Absent for none. */
  readonly outgoing?: readonly OutgoingEvent[] | undefined
  /** Counted once the turn is kept (`CountStore`). Absent for nothing. */
  readonly counted?: CountedTurn | undefined
}

/** A turn, as far as it is counted. */
export interface CountedTurn {
  readonly facts: TurnFacts
  /** Of its version, in the order of the bits of paths. */
  places(): readonly string[]
}

export interface TurnCommit extends FirstCommit {
  /** Kept for repetitions when the turn was entered with a key, for a fixed time from now on. */
  readonly answer?: string | undefined
  /**
   * The fate of a webhook payload: `keep` whatever is there, `take` the one that the turn entered with and keep a
   * later one, `drop` every one (the default).
   */
  readonly payloads?: 'keep' | 'take' | 'drop' | undefined
}

export interface ClientLogs {
  readonly flowId: string
  readonly resultId: string
  /** Made once for each report, so that a back end may repeat a call whose outcome it doesn't know. */
  readonly key: string
  readonly logs: readonly Log[]
  /** The request that brought them. */
  readonly requestId?: string | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

interface WebhookReceipt {
  readonly id: string
  /** Of the conversation that was looked at. */
  readonly revision: number
  /** JSON. */
  readonly text: string
}

export interface ConversationUsage {
  readonly live: StoreUsage
  readonly previews: StoreUsage
  /** Kept for requests with an `Idempotency-Key`. */
  readonly answers: StoreUsage
}
