import type { EffectAnswer, LinkAnswer } from '../../engine/model/effects.ts'
import type { Program } from '../../engine/model/program.ts'
import type { Turn } from '../../engine/turn/turn.ts'
import type { RecordedEffect } from '../../stores/recorded-session.ts'
import type { EffectExecutor, PerformedEffect } from '../effects/effect-executor.ts'
import { effectKey } from './effect-key.ts'
import { toExactJson } from './exact-json.ts'

/** Takes down what one turn asks of the world, with the answers. */
export class TurnTape {
  readonly #maxLength: number
  readonly #effects: RecordedEffect[] = []
  #length = 0

  /** Beyond so many characters nothing more is taken down. */
  constructor(maxLength: number) {
    this.#maxLength = maxLength
  }

  /** Undefined when there was too much. */
  get effects(): readonly RecordedEffect[] | undefined {
    return this.#length > this.#maxLength ? undefined : this.#effects
  }

  /** An executor that does what the given one does, and takes it down. */
  listenTo(executor: EffectExecutor, turn: Turn): EffectExecutor {
    const take = (effect: PerformedEffect, answer: EffectAnswer) => {
      this.#take(effect, answer, turn.budget.trail.length)
      return answer
    }
    return {
      perform(effect) {
        const answer = executor.perform(effect)
        return answer instanceof Promise ? answer.then((given) => take(effect, given)) : take(effect, answer)
      },
    }
  }

  #take(effect: PerformedEffect, answer: EffectAnswer, blocks: number): void {
    if (this.#length > this.#maxLength) return
    const kept = effect.type === 'link' ? programNameOf(answer as LinkAnswer) : toExactJson(answer)
    const taken = { type: effect.type, key: effectKey(effect), answer: kept, blocks }
    this.#length += JSON.stringify(taken).length
    this.#effects.push(taken)
  }
}

function programNameOf({ program, ...refused }: LinkAnswer): object {
  return program ? { program: (program as Program).hash, flowId: program.id } : refused
}
