import type {
  CodeResult,
  CompletionOutcome,
  MailOutcome,
  RequestOutcome,
} from '../engine/model/effect-payloads.ts'
import type { TurnLimit } from '../engine/model/limits.ts'

/**
 * Counts events for the operator. No method throws, and each costs next to nothing: some are called several times in
 * each turn. No label has values that outsiders could choose: flows are named by their public ids.
 */
export interface Metrics {
  /** The route is the template of an address. */
  requestAnswered(request: { method: string; route: string; status: number; ms: number }): void
  turnDone(turn: TurnMeasures): void
  /** A turn, a start or a stream left logs that say that something failed; undefined is the flow of a preview. */
  errorsLeft(flow: string | undefined, logs: number): void
  /** The database has answered, or failed. */
  storeAsked(ms: number): void
  limitReached(limit: LimitName): void
  draftRead(outcome: 'compiled' | 'cached' | 'refused'): void
  /** A turn was refused as too many heavy ones were waiting. */
  heavyTurnRefused(turn: 'preview' | 'start' | 'continue'): void
  codeDone(result: CodeResult): void
  /** A thread of the sandbox was ended, or broke. */
  codeThreadLost(): void
  requestDone(outcome: RequestOutcome): void
  mailDone(outcome: MailOutcome): void
  /** A try to send an event to a webhook, or a message to a messenger: it has arrived, is to be tried again, or is set aside. */
  deliveryDone(to: 'webhook' | 'channel', outcome: 'delivered' | 'failed' | 'set aside'): void
  /** Spans for a collector: sent, refused by it or never answered, or not sent as too many waited. */
  spansDone(outcome: 'sent' | 'failed' | 'dropped', count: number): void
  questionDone(outcome: CompletionOutcome): void
}

/** Time and work of one turn. */
export interface TurnMeasures {
  /** The public id of the flow; undefined for a preview. */
  readonly flow: string | undefined
  readonly kind: 'live' | 'preview'
  readonly entry: 'start' | 'continue' | 'timer' | 'operator'
  /** Blocks that were executed. */
  readonly blocks: number
  /** Nothing follows in the flow. */
  readonly isCompleted: boolean
  /** Waiting for others left out. */
  readonly engineMs: number
}

/** Limits of a turn, by the names of the configuration. */
export type LimitName = TurnLimit | 'wholeTurnMs' | 'callsPerTurn' | 'codeTurnMs'
