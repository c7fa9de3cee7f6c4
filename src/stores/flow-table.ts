import type { OperatorAct } from '../engine/walk/take-over.ts'
import type { EndpointKind } from './outgoing/endpoint-table.ts'

/** A published flow as the catalogue keeps it. */
export interface CatalogueEntry {
  readonly publicId: string
  /** The one that is served. Versions of a public id are numbered from 1, and no number is used twice. */
  readonly version: number
  /** Of the definition. */
  readonly hash: string
  /** Milliseconds since 1970. */
  readonly publishedAt: number
  /** The name of the operator's token. */
  readonly publishedBy: string
  readonly isClosed: boolean
  readonly isArchived: boolean
}

/** A publication. Never changes. */
export type FlowVersion = Pick<CatalogueEntry, 'version' | 'hash' | 'publishedAt' | 'publishedBy'>

/** A change that is made to a flow. */
export type FlowAction =
  /** The text is kept under its hash. The flags are those of a flow that is published for the first time. */
  | {
      readonly kind: 'publish'
      readonly hash: string
      readonly text: string
      readonly isClosed: boolean
      readonly isArchived: boolean
    }
  | { readonly kind: 'rollback'; readonly version: number }
  | { readonly kind: 'set'; readonly isClosed?: boolean; readonly isArchived?: boolean }
  /** Its versions go with it; sessions that run one of them go on. */
  | { readonly kind: 'delete' }

export interface FlowChange {
  readonly publicId: string
  /** The name of the operator's token. */
  readonly actor: string
  /** The versions of which one has to be served, 0 standing for none; undefined for whichever. */
  readonly expected: readonly number[] | undefined
  readonly action: FlowAction
  /** Those who are told where another version is served by it. Absent for nobody. */
  readonly announce?: FlowAnnouncement | undefined
}

export interface FlowAnnouncement {
  readonly eventId: string
  /** As ISO 8601. */
  readonly timestamp: string
  /** Of the outbox. */
  readonly destinations: readonly string[]
}

export type ChangeOutcome =
  /** Unchanged: it was so already, and the audit says nothing. No entry: it was deleted. */
  | { readonly state: 'changed' | 'unchanged'; readonly entry: CatalogueEntry | undefined }
  /** There is no such flow, or no such version of it. */
  | { readonly state: 'not found' }
  /** Not one of those that were expected; 0 when there is none. */
  | { readonly state: 'other version'; readonly version: number }

/** A change, an erasure, or what an operator did in a conversation: by whom, and when. Never changes, and outlives the flow. */
export interface AuditRow {
  readonly number: number
  /** Milliseconds since 1970. */
  readonly at: number
  readonly actor: string
  /** `erase`, `export`, `import`: of results of the flow, or of its counts. From `pause` on: in a conversation with it. */
  readonly action:
    | FlowAction['kind']
    | 'erase'
    | 'export'
    | 'import'
    | 'invite'
    | `${'put' | 'delete'} ${EndpointKind}`
    | OperatorAct['type']
  /** The public id of the flow, or the name of the endpoint. */
  readonly subject: string
  readonly detail: string
}

/** An entry of the audit for something that is no change of a flow. */
export type AuditEntry = Pick<AuditRow, 'actor' | 'action' | 'subject' | 'detail'>

/**
 * Keeps the flows that are published over HTTP, in a database. A change is one unit: the version, its definition, the flow,
 * the row of the audit and what others are told are there together or not at all.
 */
export interface FlowTable {
  /** Every flow that is published, in the order of the public ids by their characters. */
  list(): Promise<readonly CatalogueEntry[]>
  find(publicId: string): Promise<CatalogueEntry | undefined>
  /** The latest first. */
  versions(publicId: string): Promise<readonly FlowVersion[]>
  /** The text of a definition; that of every version is there. */
  definition(hash: string): Promise<string | undefined>
  change(change: FlowChange): Promise<ChangeOutcome>
  /** Adds a row to the audit. */
  note(entry: AuditEntry): Promise<void>
  /** The latest rows first: those before the one of a number, as many as are asked for. */
  audit(page: { readonly before?: number; readonly limit: number }): Promise<readonly AuditRow[]>
  /**
   * Calls whenever something may have been changed by another process, five seconds after it at the latest, and again where
   * the call rejects: with the public ids of all that may have been, or without where that can't be told. Returns what ends that.
   */
  follow(onChange: (publicIds?: readonly string[]) => Promise<void>): () => Promise<void>
}
