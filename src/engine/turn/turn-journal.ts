import type { TraceComparison, TraceHop, TraceStep } from '../../../schemas/trace.ts'
import type { CompiledBlock } from '../model/program.ts'
import type { ReplyResult, Step } from '../model/step.ts'
import type { Value } from '../values/value.ts'

/** A variable that is written. */
export interface WrittenVariable {
  /** Undefined for one that the flow does not declare. */
  readonly id?: string
  readonly name: string
}

/** What was produced, by a step or by an input that asks again. */
export type Produced = Pick<Step, 'message' | 'input' | 'actions'>

/** Is told all that a walk does, as it does it. What it is handed does not change afterwards. */
export interface TurnJournal {
  /** A block is entered: whatever follows is about it. */
  enter(block: CompiledBlock, flowId: string, did: TraceStep['did']): void
  judged(result: ReplyResult): void
  compared(comparison: TraceComparison): void
  logged(description: string): void
  produced(produced: Produced): void
  /** A variable is about to be written. */
  wrote(variable: WrittenVariable, before: Value, after: Value): void
  /** How the walk goes on from here. */
  went(hop: TraceHop): void
}
