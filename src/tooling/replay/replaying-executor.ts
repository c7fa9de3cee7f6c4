import type { EffectExecutor, PerformedEffect } from '../../conversations/effects/effect-executor.ts'
import { effectKey } from '../../conversations/recording/effect-key.ts'
import { fromExactJson } from '../../conversations/recording/exact-json.ts'
import type { EffectAnswer, LinkAnswer } from '../../engine/model/effects.ts'
import type { Program } from '../../engine/model/program.ts'
import type { Turn } from '../../engine/turn/turn.ts'
import type { RecordedEffect } from '../../sessions/recorded-session.ts'
import { DivergedError } from './divergence.ts'

export type Programs = ReadonlyMap<string, Program>

/** Answers a turn as it was answered. What it asks has to be what it asked, one after the other. */
export function createStrictExecutor(
  effects: readonly RecordedEffect[],
  turn: Turn,
  programs: Programs,
): EffectExecutor {
  let next = 0
  return {
    perform(effect) {
      const recorded = effects[next]
      next += 1
      const { length } = turn.budget.trail
      if (!recorded) throw new DivergedError(`it asks for ${nameOf(effect)}, which it did not`, length)
      if (recorded.type !== effect.type) {
        throw new DivergedError(`it asks for ${nameOf(effect)} where it asked for ${recorded.type}`, length)
      }
      if (recorded.key !== effectKey(effect)) {
        throw new DivergedError(`it asks for ${nameOf(effect)} with other words than it did`, length)
      }
      return answerOf(recorded, programs)
    },
  }
}

/** Failure of an effect of a changed flow that the recording has no answer for. */
const unanswered = 'The recording has no answer to this'

/**
 * Answers the same questions with the same answers, in whatever turn they are asked: of a changed flow. What was never
 * asked goes unanswered.
 */
export class LenientAnswers {
  readonly #left = new Map<string, RecordedEffect[]>()
  readonly #programs: Programs
  #count = 0

  constructor(effects: readonly RecordedEffect[], programs: Programs) {
    this.#programs = programs
    for (const effect of effects) {
      const name = `${effect.type} ${effect.key}`
      const left = this.#left.get(name)
      if (left) left.push(effect)
      else this.#left.set(name, [effect])
    }
  }

  readonly perform = (effect: PerformedEffect): EffectAnswer => {
    const recorded = this.#left.get(`${effect.type} ${effectKey(effect)}`)
    // The last answer stands for all that follow.
    const answer = recorded && (recorded.length > 1 ? recorded.shift() : recorded[0])
    return answer ? answerOf(answer, this.#programs) : this.#answerUnknown(effect)
  }

  #answerUnknown(effect: PerformedEffect): EffectAnswer {
    switch (effect.type) {
      case 'now':
        return 0
      case 'random':
        return 0.5
      case 'id':
        this.#count += 1
        return `value-${this.#count}`
      case 'link':
        return { refusal: unanswered }
      case 'evaluate':
        return effect.jobs.map(() => ({ ok: false, reason: 'busy', message: unanswered }) as const)
      case 'request':
      case 'callVendor':
        return { kind: 'off', reason: unanswered }
      case 'mail':
        return { kind: 'refused', message: unanswered }
      case 'complete':
        return { kind: 'failed', message: unanswered }
      case 'signToken':
        return { kind: 'no account' }
    }
  }
}

function answerOf({ type, answer }: RecordedEffect, programs: Programs): EffectAnswer {
  if (type !== 'link') return fromExactJson(answer) as EffectAnswer
  const { program: name, refusal = '' } = answer as { program?: string; refusal?: string }
  const program = name === undefined ? undefined : programs.get(name)
  return (program ? { program } : { refusal }) satisfies LinkAnswer
}

/** Kind and target of an effect, without words of a visitor. */
function nameOf(effect: PerformedEffect): string {
  switch (effect.type) {
    case 'request':
      return `a request (${effect.request.method})`
    case 'callVendor':
      return `a call to ${effect.call.vendor}`
    case 'complete':
      return `an answer of a model (${effect.completion.blockType})`
    case 'link':
      return `the flow "${effect.flowId}"`
    case 'evaluate':
      return 'a result of code'
    case 'mail':
      return 'a mail'
    case 'signToken':
      return `a token for ${effect.request.vendor}`
    case 'now':
      return 'the time'
    case 'random':
      return 'a random number'
    case 'id':
      return 'an id'
  }
}
