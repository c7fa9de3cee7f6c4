import type { EffectAnswer } from '../../engine/model/effects.ts'
import type { TurnListener } from '../../engine/turn/turn-listener.ts'
import { rounded } from '../../engine/turn/turn-recorder.ts'
import type { Ports } from '../../ports/ports.ts'
import type { EffectExecutor, PerformedEffect } from '../effects/effect-executor.ts'
import { type CallDetails, describeCall } from './describe-call.ts'

/** What effects are recorded with. */
export interface RecordingTerms extends CallDetails {
  readonly recorder: TurnListener
  readonly ports: Pick<Ports, 'elapsed'>
  /** Whether mocks have answered in place of the world. */
  isMocked(effect: PerformedEffect): boolean
}

/** Writes down what another executor is asked, and its answers. */
export class RecordingExecutor implements EffectExecutor {
  readonly #executor: EffectExecutor
  readonly #terms: RecordingTerms

  constructor(executor: EffectExecutor, terms: RecordingTerms) {
    this.#executor = executor
    this.#terms = terms
  }

  perform(effect: PerformedEffect): EffectAnswer | Promise<EffectAnswer> {
    const startedAt = this.#terms.ports.elapsed()
    const answer = this.#executor.perform(effect)
    if (answer instanceof Promise) return answer.then((given) => this.#record(effect, given, startedAt))
    return this.#record(effect, answer, startedAt)
  }

  #record(effect: PerformedEffect, answer: EffectAnswer, startedAt: number): EffectAnswer {
    const { recorder, ports, isTrusted } = this.#terms
    const ms = rounded(ports.elapsed() - startedAt)
    const isMocked = this.#terms.isMocked(effect)
    // What no account was lent to is the author's own.
    const described = describeCall(effect, answer, { isTrusted: isTrusted || isMocked })
    const call = { type: effect.type, ...described, ms }
    recorder.called(isMocked ? { ...call, isMocked } : call)
    return answer
  }
}
