import { customAlphabet } from 'nanoid'
import type { Ports } from '../../ports.ts'
import { createTurnQueue, type TurnQueue } from './turn-queue.ts'

/** The clock, the chance and the event loop of the process; turns wait in the given queue. */
export function createSystemPorts({ nextTurn }: Pick<TurnQueue, 'nextTurn'> = createTurnQueue()): Ports {
  return {
    now: () => Date.now(),
    elapsed: () => performance.now(),
    random: () => Math.random(),
    createId: drawIds(),
    nextTurn,
  }
}

/** Gateways and logs cut ids at a hyphen. */
const idCharacters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** That many of 62 characters are 125 bits. */
const idLength = 21

/** More at a time would be more than nanoid gets random bytes for. */
const idsAtOnce = 14

/**
 * Ids are drawn many at a time: nanoid joins its text character by character, and to copy each into one piece would take
 * longer than to draw it.
 */
function drawIds(): () => string {
  const draw = customAlphabet(idCharacters, idsAtOnce * idLength)
  let drawn = ''
  let used = 0
  return () => {
    if (used === drawn.length) {
      drawn = Buffer.from(draw(), 'latin1').toString('latin1')
      used = 0
    }
    used += idLength
    return drawn.slice(used - idLength, used)
  }
}
