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

/** Is called with the name of the flow of a request in the log of the service, once that is known: its public id, or `preview`. */
export type OnFlow = (flow: string) => void

/** Line of a turn in the log of the service, without anything that the visitor or the flow said. */
export interface TurnSummary {
  /** The public id of the flow that was started; `preview` for a preview. */
  readonly flow: string
  /** Blocks that ran. */
  readonly blocks: number
  /** Milliseconds of engine time, outgoing calls excluded. */
  readonly engineMs: number
  readonly hasErrorLogs: boolean
}
