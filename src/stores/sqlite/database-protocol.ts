import type { ErrorCode } from '../../lib/errors.ts'
import type { WebhookPayload } from '../conversation-store.ts'
import type { Definition } from '../definition-store.ts'
import type {
  AuditEntry,
  AuditRow,
  CatalogueEntry,
  ChangeOutcome,
  FlowChange,
  FlowVersion,
} from '../flow-table.ts'
import type { Result, ResultFilter, ResultName, ResultUpdate } from '../result-store.ts'
import type { StoreUsage } from '../store-usage.ts'
import type { BindingName } from './thread/binding.ts'

/** The data that the thread is started with. */
export interface ThreadData {
  readonly folder: string
  readonly binding: BindingName
  readonly now: number
  readonly bounds: DiskBounds
}

export interface DiskBounds {
  /** How long a session lives after its last use. */
  readonly sessionTtlMs: number
  readonly maxSessions: number
  /** Of answers to requests with a key. */
  readonly maxAnswerBytes: number
  /** How long a result lives after its last change; undefined for ever. */
  readonly resultTtlMs: number | undefined
}

/** A session as it is kept: its text holds no payload. */
export interface SessionRow {
  readonly text: string
  readonly payload: WebhookPayload | undefined
}

export interface AnswerRow {
  readonly name: string
  readonly sessionId: string
  readonly fingerprint: string
  /** Undefined for a start whose process ended on the way, and which goes on under the same session id. */
  readonly text: string | undefined
}

/** All that one turn changes, as one unit. What there is none of is left out: naming it takes as long as sending it. */
export interface KeepRequest {
  readonly session?: SessionChange
  readonly results?: readonly ResultUpdate[]
  readonly answer?: { readonly row: AnswerRow; readonly expires: number }
  /** The claim of a start that has no answer to keep. */
  readonly dropped?: string
}

export interface SessionChange {
  readonly id: string
  readonly text: string
  readonly revision: number
  /** Payloads up to this number are dropped; all of them where it is absent. */
  readonly droppedPayload?: number
}

/** Undefined when the session was erased, or is at another revision than the turn read: nothing was kept. */
export type Kept = { readonly payload?: WebhookPayload } | undefined

export interface StoredUsage {
  readonly sessions: StoreUsage
  readonly answers: StoreUsage
  readonly results: StoreUsage
}

export interface ResultRows {
  readonly results: readonly Result[]
  /** The number of the last one, when others follow it. */
  readonly last: number | undefined
}

export interface ResultNameRows {
  readonly names: readonly ResultName[]
  /** The number of the last one, when others follow it. */
  readonly last: number | undefined
}

/** Requests that change nothing, by their kinds, with what each returns. */
export interface Reads {
  'find session': (request: {
    readonly id: string
    readonly readAt: number | undefined
  }) => SessionRow | undefined
  'why missing': (request: { readonly id: string }) => 'expired' | 'erased' | undefined
  'find answer': (request: { readonly name: string }) => AnswerRow | undefined
  'get result': (request: { readonly flowId: string; readonly id: string }) => Result | undefined
  'has result': (request: { readonly id: string }) => boolean
  'list results': (request: {
    readonly flowId: string
    /** The number that they are before. */
    readonly before: number
    readonly limit: number
    readonly filter: ResultFilter
  }) => ResultRows
  /** As 'list results' without an answer in the filter, and reads none of them. */
  'list result names': (request: RequestOf<'list results'>) => ResultNameRows
  'get definition': (request: { readonly hash: string }) => string | undefined
  'list flows': (request: object) => readonly CatalogueEntry[]
  'find flow': (request: { readonly publicId: string }) => CatalogueEntry | undefined
  'list versions': (request: { readonly publicId: string }) => readonly FlowVersion[]
  'list audit': (request: { readonly before: number; readonly limit: number }) => readonly AuditRow[]
  usage: (request: object) => StoredUsage
}

/** Requests that write. */
export interface Writes {
  /** Returns the one that is there; undefined when this one was kept. */
  claim: (request: { readonly answer: AnswerRow; readonly expires: number }) => AnswerRow | undefined
  unclaim: (request: { readonly name: string }) => void
  keep: (request: KeepRequest) => Kept
  erase: (request: { readonly ids: readonly string[] }) => void
  /** Returns the number of the payload; undefined when the session has moved on or is gone. */
  webhook: (request: {
    readonly id: string
    readonly revision: number
    readonly text: string
  }) => number | undefined
  'append logs': (request: { readonly key: string; readonly change: ResultUpdate }) => boolean
  /** Those that there were. */
  'delete results': (request: {
    readonly flowId: string
    readonly ids: readonly string[]
  }) => readonly ResultName[]
  'put definitions': (request: { readonly definitions: readonly Definition[] }) => void
  /** Those whose text is missing. */
  'retain definitions': (request: { readonly hashes: readonly string[] }) => readonly string[]
  'release definitions': (request: { readonly hashes: readonly string[] }) => void
  'change flow': (request: { readonly change: FlowChange }) => ChangeOutcome
  'note in audit': (request: { readonly entry: AuditEntry }) => void
  /** Renews sessions that were read, and takes a step of erasing what is past its time. True when more is to do. */
  sweep: (request: { readonly reads: readonly (readonly [id: string, at: number])[] }) => boolean
  /** Writes so many bytes, to find out whether that is possible. */
  probe: (request: { readonly bytes: number }) => void
  /** Erases what a probe has written. */
  'end probe': (request: object) => void
}

export interface Operations extends Reads, Writes {}

const writes: { readonly [K in keyof Writes]: true } = {
  claim: true,
  unclaim: true,
  keep: true,
  erase: true,
  webhook: true,
  'append logs': true,
  'delete results': true,
  'put definitions': true,
  'retain definitions': true,
  'release definitions': true,
  'change flow': true,
  'note in audit': true,
  sweep: true,
  probe: true,
  'end probe': true,
}

export const isWrite = (kind: Kind): kind is keyof Writes => Object.hasOwn(writes, kind)

export type Kind = keyof Operations

export type RequestOf<K extends Kind> = Parameters<Operations[K]>[0]

export type Request = { [K in Kind]: { readonly kind: K; readonly now: number } & RequestOf<K> }[Kind]

/** The outcomes of a batch, in its order. */
export interface Outcomes {
  readonly values: readonly unknown[]
  readonly failures?: readonly (Failure | undefined)[]
}

export interface Failure {
  readonly message: string
  /** Of SQLite. */
  readonly errcode: number | undefined
  /** Of a refusal. */
  readonly code: ErrorCode | undefined
}

export type ToThread = { readonly batch: readonly Request[] } | 'close'

export type FromThread =
  | {
      readonly kind: 'ready'
      /** Why nothing can be written. */
      readonly failure: Failure | undefined
      /** For the operator to know. */
      readonly warning: string | undefined
    }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'done'; readonly outcomes: Outcomes }
  | { readonly kind: 'closed' }

/** Error codes of SQLite for what the machine refuses, whatever is asked: no memory, no rights, no room, broken files. */
const machineErrors = [3, 5, 6, 7, 8, 10, 11, 13, 14, 15, 26]

/** Whether a request failed for what the machine is, and not for what it asked. */
export function isOfMachine(errcode: number | undefined): boolean {
  return machineErrors.includes((errcode ?? 0) & 0xff)
}
