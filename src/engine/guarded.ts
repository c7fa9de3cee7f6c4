import type { Effects } from './effects.ts'
import { BudgetSpent } from './limits.ts'
import { describePlace } from './place.ts'
import type { CompiledBlock } from './program.ts'
import type { Turn } from './turn.ts'

/** Lets a handler work; undefined when it throws, which is a log for the author and a defect for the operator. */
export function* guarded<Result extends object>(
  turn: Turn,
  block: CompiledBlock,
  work: () => Result | Effects<Result>,
): Effects<Result | undefined> {
  try {
    const result = work()
    return Symbol.iterator in result ? yield* result : result
  } catch (error) {
    return fail(turn, block, error)
  }
}

/** As `guarded`, for what asks nothing of the world. */
export function attempt<Result>(turn: Turn, block: CompiledBlock, work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    return fail(turn, block, error)
  }
}

function fail(turn: Turn, block: CompiledBlock, error: unknown): undefined {
  if (error instanceof BudgetSpent) throw error
  turn.output.defects.push({ error, block })
  turn.log({ status: 'error', description: 'A block failed and was skipped', details: describePlace(block) })
}
