import type { EffectAnswer } from '../../engine/model/effects.ts'
import { rounded, type TurnRecorder } from '../../engine/turn/turn-recorder.ts'
import type { Ports } from '../../ports.ts'
import type { EffectExecutor, PerformedEffect } from '../effects/effect-executor.ts'
import { type CallDetails, describeCall } from './describe-call.ts'

/** What effects are recorded with. */
export interface RecordingTerms extends CallDetails {
  readonly recorder: TurnRecorder
  readonly ports: Pick<Ports, 'elapsed'>
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
    const { recorder, ports } = this.#terms
    const ms = rounded(ports.elapsed() - startedAt)
    recorder.called({ type: effect.type, ...describeCall(effect, answer, this.#terms), ms })
    return answer
  }
}
