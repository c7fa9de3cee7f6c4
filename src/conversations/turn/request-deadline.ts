import { tooManyHeavy } from '../../lib/errors.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { createEventLoopYield } from './yield-to-event-loop.ts'

/**
 * Lets others be served between two slices of the work of a request, and returns whether its time is over. Throws
 * SERVICE_UNAVAILABLE where it takes more than a slice and too many others do.
 */
export function createRequestDeadline(
  { ports, heavyTurns }: Pick<ChatDependencies, 'ports' | 'heavyTurns'>,
  limitMs: number,
): () => Promise<boolean> {
  const endsAt = ports.elapsed() + limitMs
  let isAdmitted = false
  const pause = createEventLoopYield({
    elapsed: ports.elapsed,
    nextTurn() {
      if (!isAdmitted && !heavyTurns.admit('start')) throw tooManyHeavy()
      isAdmitted = true
      return ports.nextTurn()
    },
  })
  return async () => {
    await pause()
    return ports.elapsed() > endsAt
  }
}
