import type { Effect, EffectAnswer, Effects } from '../../src/engine/model/effects.ts'

/** Runs to its end what asks for effects, and answers each of them at once. */
export function settle<Result>(effects: Effects<Result>, answerTo: (effect: Effect) => EffectAnswer): Result {
  let step = effects.next()
  while (!step.done) step = effects.next(answerTo(step.value))
  return step.value
}
