import type { SetVariableBlock } from '../../../../schemas/blocks/logic.ts'
import type { CompileContext, RunContext } from '../../../engine/model/block-handler.ts'
import type { Effects } from '../../../engine/model/effects.ts'
import type { Assignment, Step } from '../../../engine/model/step.ts'

/** The options of a block that has a variable to write. */
export type WritingOptions = NonNullable<SetVariableBlock['options']> & { readonly variableId: string }

/** Works out a value and writes it, or lets the client do so. */
export type ValueSource = (context: RunContext) => Step | Effects<Step>

/** Prepares the source of one type of value. */
export type CompileValueSource = (options: WritingOptions, context: CompileContext) => ValueSource

/** Writes a value, after other variables that come with it. Nothing is written when the flow lacks the variable. */
export function write(
  context: RunContext,
  assignment: Assignment,
  comesWith: readonly Assignment[] = [],
): Step {
  if (context.variables.get(assignment.variableId) === undefined) return {}
  return { assignments: [...comesWith, assignment] }
}

/** A source that needs nothing but what the conversation holds. */
export function computedValue(
  compute: (context: RunContext, options: WritingOptions) => unknown,
): CompileValueSource {
  return (options) => (context) =>
    write(context, { variableId: options.variableId, value: compute(context, options) })
}

/** A source that asks the world for its value. */
export function effectValue(compute: (context: RunContext) => Effects<unknown>): CompileValueSource {
  return ({ variableId }) =>
    function* (context) {
      return write(context, { variableId, value: yield* compute(context) })
    }
}
