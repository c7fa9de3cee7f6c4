import type { Session } from '../../sessions/session.ts'
import type { ContactWrite } from '../contact-store.ts'
import type {
  ConversationUsage,
  DueSession,
  StoredConversation,
  WebhookPayload,
} from '../conversation-store.ts'
import type { TurnFacts } from '../counts/turn-facts.ts'
import type { OutgoingEvent } from '../outgoing/outbox-store.ts'
import type { ResultUpdate } from '../result-store.ts'

/**
 * Rows of text under session ids, leases on the ids and answers of keyed requests, with one clock: all that a back end does
 * for conversations. What follows from it for requests is up to `Conversations`. Calls may be joined, and each takes effect
 * whole or not at all; one whose outcome is unknown rejects.
 */
export interface ConversationTable {
  /** Writes and reads the texts of its rows; they are as the codec has them where there is none. */
  readonly texts?: SessionTexts
  /** Of leases and claims that are lost otherwise; undefined where they end with the process alone. */
  readonly renewal: LeaseRenewal | undefined
  /** The rows of an id, the live one first, their time to live renewed. */
  read(id: string): Promise<readonly SessionRow[]>
  /** Why there is no row, as far as that is remembered. */
  whyMissing(id: string): Promise<'expired' | 'erased' | undefined>
  /**
   * Claims the key, if any, and takes the lease of the id unless another token holds it. May be repeated: what the token has
   * is its own. An abandoned claim keeps the id that it fixed, and goes to a request of the same fingerprint. Nothing is held
   * afterwards but by 'acquired', and the claim alone by 'busy'.
   */
  acquire(request: AcquireRequest): Promise<Acquired>
  /**
   * Writes a turn where its token still holds the lease (a start may have none), the row is at the revision before, and the id
   * was not erased, nor the contact since it was read: the text, the changes of results, the contact, the answer under the
   * claimed key, what it puts out, what it leaves to be counted. Gives the lease back. 'lost' where nothing was written. Throws PAYLOAD_TOO_LARGE, with everything as it was, for what could never be held.
   */
  commit(write: TurnWrite): Promise<'kept' | 'lost'>
  /** Gives leases and claims back; abandoned claims stay for those who repeat their request. Harmless when repeated. */
  release(held: readonly Held[], options?: { readonly isAbandoned: boolean }): Promise<void>
  /** Erases live rows, all answers and the outgoing events of leased ids, marks the ids and gives the leases back; those that were still held. */
  erase(held: readonly Held[]): Promise<ReadonlySet<string>>
  /** Puts a payload beside a live row that is at a revision, whoever holds the lease; false where it has moved on. */
  putPayload(id: string, revision: number, text: string): Promise<boolean>
  /** Sessions whose due time has come and that nobody is in, the earliest first, at most so many. */
  due(limit: number): Promise<readonly DueSession[]>
  /** Calls `wake` after each commit, payload, erasure and release of an id, in whatever process. Returns what ends it. */
  watch(id: string, wake: () => void): Promise<() => void>
  usage(): Promise<ConversationUsage>
}

/** How long before a service comes back timers may have come due for it to take them: longer ago, nobody waits any more. */
export const longestAwayMs = 30 * 24 * 60 * 60 * 1000

/** The part of all sessions that belongs to those which were only started, where they make room for others. */
export const startsShare = 1 / 8

/** The number of no payload: dropping those up to it drops each. */
export const everyPayload = Number.MAX_SAFE_INTEGER

export interface LeaseRenewal {
  /** Milliseconds after which a lease or claim that is not renewed is lost. */
  readonly leaseMs: number
  /** Moves the deadlines of leases and claims; the tokens whose lease still holds. */
  renew(held: readonly Held[]): Promise<ReadonlySet<string>>
}

/** Sessions as texts, which stand beside their ids and kinds. The revision follows the first comma, as for `revisionOf`. */
export interface SessionTexts {
  write(session: Session, revision: number): string
  read(text: string, id: string, kind: SessionRow['kind']): Omit<StoredConversation, 'payload'>
}

export interface SessionRow {
  readonly kind: 'live' | 'preview'
  /** As it was written by `texts` of the table, or by `writeConversation`. */
  readonly text: string
  readonly payload: WebhookPayload | undefined
}

/** The rights of one request. A token is never used twice. */
export interface Held {
  readonly id: string
  readonly token: string
  /** The name of the claimed key. */
  readonly claim: string | undefined
}

export interface KeyClaim {
  /** With the session, or the kind of start, that the key counts for. */
  readonly name: string
  readonly fingerprint: string
  /** Whether the first claim fixes the id, as that of a start does: it has to outlive the process. */
  readonly fixesId: boolean
}

export interface AcquireRequest {
  readonly id: string
  readonly token: string
  readonly claim: KeyClaim | undefined
  /**
   * 'session': a row; 'absent' where there is none, and no lease and no answer of the key either. 'row': the lease, with
   * whatever rows there are. 'lease': that alone.
   */
  readonly needs: 'session' | 'row' | 'lease'
  /** Others of this process come first: the outcome is 'busy' at best. */
  readonly isClaimOnly?: boolean
}

export type Acquired =
  | { readonly state: 'acquired'; readonly id: string; readonly rows: readonly SessionRow[] }
  | { readonly state: 'busy'; readonly id: string }
  | { readonly state: 'absent' }
  /** The key has its answer, or another token that is at it. */
  | { readonly state: 'claimed'; readonly fingerprint: string; readonly answer: string | undefined }

export interface TurnWrite {
  readonly id: string
  readonly kind: 'live' | 'preview'
  readonly token: string | undefined
  /** Of the text. */
  readonly revision: number
  readonly text: string
  readonly results: readonly ResultUpdate[]
  /** Of the person whom the conversation is held with, where the turn leaves something of one. */
  readonly contact: ContactWrite | undefined
  /** Of the visitor who starts, where room is shared by addresses. */
  readonly address: string | undefined
  readonly claim: string | undefined
  /** Undefined frees the claimed key. */
  readonly answer: string | undefined
  /** Payloads up to this number leave. */
  readonly droppedPayload: number
  /**
   * Milliseconds from now, by the clock of the table, until the session has something to do by itself; undefined for never.
   * It lives for its time to live from then on.
   */
  readonly dueIn: number | undefined
  /** Put into the outbox, in this order. */
  readonly outgoing: readonly OutgoingEvent[] | undefined
  /** Left to be counted. */
  readonly facts: TurnFacts | undefined
}
