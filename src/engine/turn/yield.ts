import type { Effects } from '../model/effects.ts'
import { LimitExceeded } from '../model/limits.ts'
import type { Turn } from './turn.ts'

/** Lets others be served. Throws when the turn has used up its time. */
export function* yieldToEventLoop(turn: Turn): Effects<void> {
  const isTimeLeft = yield { type: 'yield' }
  if (!isTimeLeft) {
    throw new LimitExceeded('turnMs', `more than ${turn.budget.limits.turnMs} ms of engine time in one turn`)
  }
  turn.budget.onResumed()
}
