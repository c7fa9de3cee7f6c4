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

/** Output of a step, or of an input that asks again. */
export type StepOutput = Pick<Step, 'message' | 'input' | 'actions'>

/** Receives all steps of a walk, as they happen. Its arguments do not change afterwards. */
export interface TurnJournal {
  /** A block is entered: all later events are about it. */
  enter(block: CompiledBlock, flowId: string, did: TraceStep['did']): void
  judged(result: ReplyResult): void
  compared(comparison: TraceComparison): void
  logged(description: string): void
  produced(produced: StepOutput): void
  /** A variable is about to be written. */
  wrote(variable: WrittenVariable, before: Value, after: Value): void
  /** The way in which the walk leaves the block. */
  went(hop: TraceHop): void
}
