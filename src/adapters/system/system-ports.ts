import { customAlphabet } from 'nanoid'
import type { Ports } from '../../ports/ports.ts'
import { createTurnQueue, type TurnQueue } from './turn-queue.ts'

/** Gateways and logs cut ids at a hyphen. */
const idCharacters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 21 of 62 characters are 125 bits. */
const drawId = customAlphabet(idCharacters, 21)

/** Ids that no other process makes, in a sequence: to draw one for each event takes longer than to write the event. */
function createSequence(): () => string {
  const prefix = drawId()
  let last = 0
  return () => {
    last += 1
    return prefix + last
  }
}

/** The chance and the event loop of the process, and its clock unless there may be another; turns wait in the given queue. */
export function createSystemPorts(
  { nextTurn, firstTurn }: Pick<TurnQueue, 'nextTurn' | 'firstTurn'> = createTurnQueue(),
  clock?: Pick<Ports, 'now'>,
): Ports {
  const nextEventId = createSequence()
  return {
    now: clock ? () => clock.now() : Date.now,
    elapsed: performance.now.bind(performance),
    random: () => Math.random(),
    createId: (purpose) => (purpose === 'event' ? nextEventId() : drawId()),
    nextTurn,
    firstTurn,
  }
}
