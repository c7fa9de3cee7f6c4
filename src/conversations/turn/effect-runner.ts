import type { Effect, EffectAnswer, Effects } from '../../engine/model/effects.ts'
import type { Turn } from '../../engine/turn/turn.ts'
import type { Mask } from '../../engine/values/sensitive-values.ts'
import { tooManyHeavy } from '../../lib/errors.ts'
import type { Ports } from '../../ports/ports.ts'
import type { EffectExecutor, PerformedEffect } from '../effects/effect-executor.ts'
import { maskQuestion } from '../effects/models/mask-question.ts'
import type { TurnOwner } from '../effects/turn-owner.ts'
import type { OpenCall } from './journal.ts'
import { sliceMs } from './yield-to-event-loop.ts'

/** A turn, and its owner. */
interface Work {
  readonly turn: Turn
  readonly owner: Pick<TurnOwner, 'kind' | 'isUnderWay'>
}

/** The turn that runs in this process, one at a time; nothing is written down of it until somebody asks. */
let current: Work | undefined

/** Terms by which a turn is driven. */
export interface EffectRunnerTerms {
  readonly ports: Pick<Ports, 'elapsed' | 'nextTurn'>
  /** Engine time of a turn, outgoing calls excluded, in milliseconds. */
  readonly turnMs: number
  /** Called by the first effect that needs it, which few turns have; `startedAt` is when the runner was made. */
  createExecutor(startedAt: number): EffectExecutor
  /** Called before each effect that is performed, where somebody observes the turn. */
  noteCall?: ((effect: PerformedEffect) => OpenCall) | undefined
  /** Called whenever the turn goes on after others could run. */
  onResumed?(): void
  /** The turn that is run; unknown for what is no turn. */
  readonly work?: Work
  /** Whether the turn may go on though it takes longer than a slice; asked once, and without it every turn may. */
  admitHeavy?(): boolean
}

/**
 * Runs the walk of one turn, has an executor perform what it asks of the world, and measures how long the turn itself
 * takes: all that it runs shares the turn's budget of time.
 */
export class EffectRunner {
  readonly #terms: EffectRunnerTerms
  readonly #startedAt: number
  /** Whether the turn asked for any effect but a yield: its outcome may differ each time. */
  hasAsked = false
  #executor: EffectExecutor | undefined
  #isAdmitted = false
  #usedMs = 0
  #runningSince: number

  constructor(terms: EffectRunnerTerms) {
    this.#terms = terms
    this.#startedAt = terms.ports.elapsed()
    this.#runningSince = this.#startedAt
  }

  /** Engine time since the runner was made, waiting for others left out, in milliseconds. */
  get usedMs(): number {
    return this.#usedMs + this.#terms.ports.elapsed() - this.#runningSince
  }

  /**
   * Runs to the end; in one go, and not as a promise, as long as nothing has to be waited for. `given` answers the effect at
   * which it stopped.
   */
  run<Result>(effects: Effects<Result>, given?: EffectAnswer): Result | Promise<Result> {
    current = this.#terms.work
    try {
      let step = given === undefined ? effects.next() : effects.next(given)
      while (!step.done) {
        const answer = this.#perform(step.value)
        if (answer instanceof Promise) return answer.then((next) => this.run(effects, next))
        step = effects.next(answer)
      }
      return step.value
    } finally {
      current = undefined
    }
  }

  #perform(effect: Effect): EffectAnswer | Promise<EffectAnswer> {
    if (effect.type === 'yield') return this.#yield()
    this.hasAsked = true
    this.#executor ??= this.#terms.createExecutor(this.#startedAt)
    const { work } = this.#terms
    const question = work && maskQuestion(effect, work.turn)
    if (!question) return this.#performAs(effect, this.#executor)
    const answer = this.#performAs(question.effect, this.#executor, question.mask)
    return answer instanceof Promise ? answer.then(question.unmask) : question.unmask(answer)
  }

  #performAs(
    effect: PerformedEffect,
    executor: EffectExecutor,
    mask?: Mask,
  ): EffectAnswer | Promise<EffectAnswer> {
    const { noteCall } = this.#terms
    if (noteCall) return this.#performNoted(noteCall(effect), executor, mask)
    const answer = executor.perform(effect, mask)
    return answer instanceof Promise ? this.#whileOthersRun(answer) : answer
  }

  #performNoted(call: OpenCall, executor: EffectExecutor, mask?: Mask): EffectAnswer | Promise<EffectAnswer> {
    const note = (answer: EffectAnswer) => {
      call.answered(answer)
      return answer
    }
    const fail = (error: unknown): never => {
      call.failed(error)
      throw error
    }
    try {
      const answer = executor.perform(call.effect, mask)
      return answer instanceof Promise ? this.#whileOthersRun(answer.then(note, fail)) : note(answer)
    } catch (error) {
      return fail(error)
    }
  }

  #yield(): boolean | Promise<boolean> {
    const sliceUsedMs = this.#terms.ports.elapsed() - this.#runningSince
    if (this.#usedMs + sliceUsedMs > this.#terms.turnMs) return false
    return sliceUsedMs < sliceMs || this.#waitForSlice()
  }

  /** A turn that has asked for anything may have changed something outside, and is not given up. */
  #waitForSlice(): Promise<boolean> {
    const terms = this.#terms
    if (!this.#isAdmitted && !this.hasAsked && terms.admitHeavy?.() === false) throw tooManyHeavy()
    this.#isAdmitted = true
    return this.#whileOthersRun(terms.ports.nextTurn().then(() => true))
  }

  /** Time spent waiting for others is not the turn's. */
  async #whileOthersRun<Answer>(wait: Promise<Answer>): Promise<Answer> {
    this.#usedMs += this.#terms.ports.elapsed() - this.#runningSince
    const answer = await wait
    this.#runningSince = this.#terms.ports.elapsed()
    this.#terms.onResumed?.()
    return answer
  }
}

/** Describes the running turn as the log may name it; nothing where none runs. */
export function describeWork(): { work?: string; flow?: string; block?: string } {
  if (!current) return {}
  const { turn, owner } = current
  // Until a block runs, what was said is judged by the one that waits.
  const block = (turn.budget.trail.at(-1) ?? turn.conversation.waitingBlock)?.id
  const work = `${owner.isUnderWay ? 'continue' : 'start'} of a ${owner.kind} session`
  return { work, flow: turn.currentFrame.program.id, ...(block !== undefined && { block }) }
}
