import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { SharedCounts } from '../http/protection/shared-rates.ts'
import type { Announcements } from '../stores/announcements.ts'
import type { ContactStore } from '../stores/contact-store.ts'
import type { ConversationStore } from '../stores/conversation-store.ts'
import type { CountStore } from '../stores/counts/count-store.ts'
import type { DefinitionStore } from '../stores/definition-store.ts'
import type { FlowTable } from '../stores/flow-table.ts'
import type { MemoryDefinitionStore } from '../stores/memory/memory-definition-store.ts'
import type { EndpointTable } from '../stores/outgoing/endpoint-table.ts'
import type { InboxStore, OutboxStore } from '../stores/outgoing/outbox-store.ts'
import type { ResultStore } from '../stores/result-store.ts'
import type { StoreBounds } from '../stores/store-bounds.ts'
import type { ConnectionUsage, StoreUsage } from '../stores/store-usage.ts'
import type { SharedUploadCounts } from '../stores/upload-counts.ts'

/** Time for which the answer to a request with an `Idempotency-Key` is kept. */
export const repeatableMs = 24 * 60 * 60 * 1000

/** How much a database may hold. */
export const boundsOf = ({ sessions, memory, resultTtlMs, outbox, inbox }: Config): StoreBounds => ({
  sessionTtlMs: sessions.ttlMs,
  maxSessions: sessions.max,
  maxAnswerBytes: memory.answers,
  resultTtlMs,
  outbox,
  inbox,
})

/** Stores of conversations, as configured. */
export interface BackEnd {
  readonly conversations: ConversationStore
  readonly results: ResultStore
  readonly contacts: ContactStore
  /** Memory that they take; undefined where they are in a database. */
  readonly contactUsage?: () => StoreUsage
  readonly definitions: DefinitionStore
  /** Flows that are published over HTTP, and the audit. */
  readonly flowTable: FlowTable
  /** Memory that it takes; undefined where it is in a database. */
  readonly flowUsage?: () => StoreUsage
  readonly counts: CountStore & { readonly usage?: () => StoreUsage }
  readonly outbox: OutboxStore & { readonly usage?: () => StoreUsage }
  readonly inbox: InboxStore & { readonly usage?: () => StoreUsage }
  /** Where events are sent. */
  readonly endpoints: EndpointTable
  /** The messengers by which people are reached. */
  readonly channels: EndpointTable
  /** Request counts by address, shared by all processes; each process counts its own without it. */
  readonly sharedCounts?: SharedCounts | undefined
  /** Messages among processes. */
  readonly announcements: Announcements
  /** Counts uploads where several processes share their folder. */
  readonly uploadCounts?: SharedUploadCounts | undefined
  /** The clock that all processes share, as milliseconds since 1970; undefined where that of this process counts. */
  readonly clock?: () => number
  /** To the database; undefined where there is none. */
  readonly connections?: () => ConnectionUsage
  /** Reasons for which turns are refused; empty when they are not. */
  problems(): Promise<readonly string[]> | readonly string[]
  /** Releases it, once it is no longer used. */
  close(): Promise<void>
}

export interface BackEndOptions {
  readonly config: Config
  readonly log: Logger
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Told how long a database took for each request. */
  readonly asked: (ms: number) => void
  /** Holds drafts, and definitions of published flows as well. */
  readonly definitions: MemoryDefinitionStore
}
