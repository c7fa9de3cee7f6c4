import type { TraceComparison } from '../../../schemas/trace.ts'
import type { CodeOutcome } from '../javascript/outcome.ts'
import type { Variables } from '../values/variables.ts'
import type { CodeJob, CodeResult } from './effect-payloads.ts'
import type { Effects } from './effects.ts'
import type { LogEntry } from './log-entry.ts'
import type { Code } from './template.ts'

/** Context in which a text, a condition or an expression is resolved. */
export interface Scope {
  readonly variables: Variables
  /** Adds an entry to the logs of the turn. */
  log(entry: LogEntry): void
  /**
   * Counts characters that rendering produces against the budget of the turn.
   * Throws when it is spent, which ends the turn: a draft of a few megabytes could otherwise grow into terabytes.
   */
  spend(characters: number): void
  /**
   * Result of a piece of code with the present values; code that needs the sandbox was run before, or is not run at
   * all.
   */
  evaluate(code: Code): CodeOutcome
}

/** Runs code in the sandbox, and lets other turns run meanwhile; jobs beyond the limit of a block fail by a limit. */
export type RunCode = (jobs: readonly CodeJob[]) => Effects<readonly CodeResult[]>

/** Context of a condition, with the block that its logs are about. */
export interface ConditionScope extends Scope {
  readonly blockId: string
  readonly runCode: RunCode
  /** Receives every comparison, if a journal is kept. */
  readonly journal?: { compared(comparison: TraceComparison): void } | undefined
}
