import type { Effect, EffectAnswer } from '../../engine/model/effects.ts'
import type { Mask } from '../../engine/values/sensitive-values.ts'

/** An effect on something outside of the turn. Giving others a chance to be served is the runner's own business. */
export type PerformedEffect = Exclude<Effect, { readonly type: 'yield' }>

/**
 * Performs the effects of one turn: the one place where a turn touches the world, so that it can be stood in for as a
 * whole.
 */
export interface EffectExecutor {
  /**
   * Returns an answer of the effect's type; a promise only where something has to be waited for. A mask is what the effect was
   * masked by.
   */
  perform(effect: PerformedEffect, mask?: Mask): EffectAnswer | Promise<EffectAnswer>
}
