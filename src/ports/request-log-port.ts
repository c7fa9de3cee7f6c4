import type { OpenSpan } from './spans-port.ts'

/** The request that a turn is run for, as the log of the service names it. */
export interface RequestLog {
  /** Fit for headers and logs. */
  readonly requestId: string
  /** Span of the request; undefined without tracing. */
  readonly span?: OpenSpan | undefined
  /** Called once, with the outcome of the turn; not called without a turn. */
  turnDone(summary: TurnSummary): void
}

/** Is called with what the log of the service says of the session of a request, once that is known. */
export type OnFlow = (named: NamedSession) => void

/** Name of the flow of every preview in the log of the service. */
export const nameOfPreviews = 'preview'

/** A session, as far as the log of the service names it. */
export interface NamedSession {
  /** The public id of the flow that was started; undefined for a preview. */
  readonly flow: string | undefined
  /** The log has its hash. */
  readonly sessionId: string
}

/** Line of a turn in the log of the service, without anything that the visitor or the flow said. */
export interface TurnSummary extends NamedSession {
  /** Blocks that ran. */
  readonly blocks: number
  /** Milliseconds of engine time, outgoing calls excluded. */
  readonly engineMs: number
  readonly hasErrorLogs: boolean
}
