import { evaluateAhead } from '../javascript/evaluate-ahead.ts'
import { andThen, type Effects, isUnfinished } from '../model/effects.ts'
import { LimitExceeded } from '../model/limits.ts'
import { ExplainedError, visibleError } from '../model/log-entry.ts'
import type { CompiledBlock } from '../model/program.ts'
import type { Code } from '../model/template.ts'
import { describeLocation } from './describe-location.ts'
import type { Turn, TurnContext } from './turn.ts'

/** Something that a handler does for a block. */
interface HandlerCall<Result> {
  readonly block: CompiledBlock
  /** The code in the texts that it takes, which is run before it begins: all of the block's, unless it is said here. */
  readonly codes?: readonly Code[]
  run(compiled: unknown, context: TurnContext): Result | Effects<Result>
}

/**
 * Lets a handler work; undefined when it throws, which is a log for the author and a defect for the operator. What is
 * done at once, which is most of what blocks do, comes without a generator for it; what is unfinished is for `finishHandler`.
 */
export function startHandler<Result extends object>(
  turn: Turn,
  call: HandlerCall<Result>,
): Result | undefined | Effects<Result> {
  const { block } = call
  const { context } = turn
  context.begin(block)
  try {
    const { codes = block.codes } = call
    if (codes.length === 0) return call.run(block.compiled, context)
    return andThen(evaluateAhead(codes, context, context.runCode), (results) => {
      context.results = results
      return call.run(block.compiled, context)
    })
  } catch (error) {
    return fail(turn, block, error)
  }
}

/** As `startHandler`, within a generator. */
export function* runHandler<Result extends object>(
  turn: Turn,
  call: HandlerCall<Result>,
): Effects<Result | undefined> {
  const begun = startHandler(turn, call)
  return isUnfinished(begun) ? yield* finishHandler(turn, call.block, begun) : begun
}

/** Goes on with what a handler has begun; undefined when it throws, as of `startHandler`. */
export function* finishHandler<Result extends object>(
  turn: Turn,
  block: CompiledBlock,
  begun: Effects<Result>,
): Effects<Result | undefined> {
  try {
    return yield* begun
  } catch (error) {
    return fail(turn, block, error)
  }
}

/** As `startHandler`, for what neither asks anything of the world nor runs code. */
export function tryOrReport<Result>(
  turn: Turn,
  block: CompiledBlock,
  work: () => Result,
): Result | undefined {
  try {
    return work()
  } catch (error) {
    return fail(turn, block, error)
  }
}

function fail(turn: Turn, block: CompiledBlock, error: unknown): undefined {
  if (error instanceof LimitExceeded) throw error
  turn.output.defects.push({ error, block })
  turn.output.log(
    visibleError({ description: 'A block failed and was skipped', details: describeLocation(block) }),
  )
  if (error instanceof ExplainedError) turn.output.log({ status: 'error', description: error.message })
}
