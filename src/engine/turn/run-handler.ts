import { ask, type EffectAnswer, type Effects } from '../model/effects.ts'
import { LimitExceeded } from '../model/limits.ts'
import type { CompiledBlock } from '../model/program.ts'
import { CodePending, CodeResultCache } from './code-suspension.ts'
import { describeLocation } from './describe-location.ts'
import type { Turn } from './turn.ts'
import type { OutputMark } from './turn-output.ts'
import { yieldToEventLoop } from './yield.ts'

/**
 * Lets a handler work; undefined when it throws, which is a log for the author and a defect for the operator.
 *
 * A handler that meets code which only the sandbox can run is begun again once the result is there. It notices
 * nothing: what it asked of the world before is answered as before.
 */
export function* runGuarded<Result extends object>(
  turn: Turn,
  block: CompiledBlock,
  work: () => Result | Effects<Result>,
): Effects<Result | undefined> {
  const begun = startGuarded(turn, block, work)
  return isUnfinished(begun) ? yield* begun : begun
}

/**
 * As `guarded`, for a walk: what is done at once, which is most of what blocks do, comes without a generator for it.
 */
export function startGuarded<Result extends object>(
  turn: Turn,
  block: CompiledBlock,
  work: () => Result | Effects<Result>,
): Result | undefined | Effects<Result | undefined> {
  const { code } = turn
  const mark = turn.output.mark()
  turn.code = undefined
  turn.budget.beginWork()
  try {
    const result = work()
    return isUnfinished(result) ? finish(turn, block, { work, begun: result, mark }) : result
  } catch (error) {
    if (error instanceof CodePending) return finish(turn, block, { work, begun: error, mark })
    return fail(turn, block, error)
  } finally {
    turn.code = code
  }
}

/** Whether work has still to be driven to its end. */
export function isUnfinished<Result>(begun: Result | Effects<Result>): begun is Effects<Result> {
  return typeof begun === 'object' && begun !== null && Symbol.iterator in begun
}

interface Begun<Result> {
  readonly work: () => Result | Effects<Result>
  readonly begun: Effects<Result> | CodePending
  /** What there was before. */
  readonly mark: OutputMark
}

function* finish<Result extends object>(
  turn: Turn,
  block: CompiledBlock,
  { work, begun, mark }: Begun<Result>,
): Effects<Result | undefined> {
  const { code, output } = turn
  turn.code = undefined
  const answers: EffectAnswer[] = []
  let next = () => {
    if (begun instanceof CodePending) throw begun
    return begun as Result | Effects<Result>
  }
  try {
    for (;;) {
      try {
        const result = next()
        return isUnfinished(result) ? yield* replayEffects(result, answers) : result
      } catch (error) {
        if (!(error instanceof CodePending)) throw error
        // What is begun again is charged once; how long all of it takes is measured.
        output.drop(mark, output.mark())
        turn.budget.rewindWork()
        turn.code ??= new CodeResultCache()
        turn.code.keep(yield* ask({ type: 'evaluate', job: error.job }))
        yield* yieldToEventLoop(turn)
        next = work
      }
    }
  } catch (error) {
    return fail(turn, block, error)
  } finally {
    turn.code = code
  }
}

/** Answers effects from those that are known, and remembers the answers to the others. */
function* replayEffects<Result>(effects: Effects<Result>, answers: EffectAnswer[]): Effects<Result> {
  let asked = 0
  let step = effects.next()
  while (!step.done) {
    if (asked === answers.length) answers.push(yield step.value)
    step = effects.next(answers[asked] as EffectAnswer)
    asked += 1
  }
  return step.value
}

/** As `guarded`, for what neither asks anything of the world nor runs code. */
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
  turn.output.reportDefect({ error, block })
  turn.output.log({
    audience: 'visitors',
    status: 'error',
    description: 'A block failed and was skipped',
    details: describeLocation(block),
  })
}
