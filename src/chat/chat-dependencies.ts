import type { Limits } from '../engine/limits.ts'
import type { Ports } from '../ports.ts'
import type { DefinitionStore } from '../stores/definition-store.ts'
import type { PublishedFlows } from '../stores/published-flows.ts'
import type { ResultStore } from '../stores/result-store.ts'
import type { SessionStore } from '../stores/session-store.ts'
import type { Programs } from './programs.ts'

/** What the use cases work with. */
export interface ChatDependencies {
  readonly ports: Ports
  readonly limits: Limits & {
    /** Engine time of one turn, outgoing calls excluded, in milliseconds. */
    readonly turnMs: number
    /** Characters of one message of a visitor. */
    readonly replyLength: number
  }
  readonly programs: Programs
  readonly published: PublishedFlows
  readonly definitions: DefinitionStore
  readonly sessions: SessionStore
  readonly results: ResultStore
  /** Where this service is reached from outside, without a slash at the end; undefined when nobody told. */
  readonly publicUrl: string | undefined
  /** The bearer token of the operator; undefined turns off what needs it. */
  readonly adminToken: string | undefined
  /** The bearer token that previews need; undefined leaves them open to everybody. */
  readonly previewToken: string | undefined
  readonly log: ServiceLog
}

/** Where defects go: never what visitors say, nor the ids of their sessions. */
export interface ServiceLog {
  error(details: object, message: string): void
}
