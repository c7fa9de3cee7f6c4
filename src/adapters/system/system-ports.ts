import type { Ports } from '../../ports/ports.ts'
import { createIdSource } from './draw-ids.ts'
import { createTurnQueue, type TurnQueue } from './turn-queue.ts'

/** The clock, the chance and the event loop of the process; turns wait in the given queue. */
export function createSystemPorts(
  { nextTurn, firstTurn }: Pick<TurnQueue, 'nextTurn' | 'firstTurn'> = createTurnQueue(),
): Ports {
  return {
    now: () => Date.now(),
    elapsed: () => performance.now(),
    random: () => Math.random(),
    createId: createIdSource(),
    nextTurn,
    firstTurn,
  }
}
