import { ask, type Effects } from '../model/effects.ts'
import { BudgetSpent } from '../model/limits.ts'
import type { Turn } from './turn.ts'

/** Lets others be served. Throws when the turn has used up its time. */
export function* breathe(turn: Turn): Effects<void> {
  if (!(yield* ask({ type: 'breathe' }))) {
    throw new BudgetSpent('turnMs', `more than ${turn.limits.turnMs} ms of engine time in one turn`)
  }
  turn.breathed()
}
