import { customAlphabet } from 'nanoid'
import type { Ports } from '../../ports/ports.ts'
import { createTurnQueue, type TurnQueue } from './turn-queue.ts'

/** Gateways and logs cut ids at a hyphen. */
const idCharacters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 21 of 62 characters are 125 bits. */
const drawId = customAlphabet(idCharacters, 21)

/** The chance and the event loop of the process, and its clock unless there is another; turns wait in the given queue. */
export function createSystemPorts(
  { nextTurn, firstTurn }: Pick<TurnQueue, 'nextTurn' | 'firstTurn'> = createTurnQueue(),
  clock: Pick<Ports, 'now'> = { now: () => Date.now() },
): Ports {
  return {
    now: () => clock.now(),
    elapsed: () => performance.now(),
    random: () => Math.random(),
    createId: () => drawId(),
    nextTurn,
    firstTurn,
  }
}
