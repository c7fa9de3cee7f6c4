import { setImmediate } from 'node:timers/promises'
import { nanoid } from 'nanoid'
import type { Ports } from '../../ports.ts'

/** The clock, the chance and the event loop of the process. */
export function createSystemPorts(): Ports {
  return {
    now: () => Date.now(),
    elapsed: () => performance.now(),
    random: () => Math.random(),
    createId: drawIds(),
    nextTurn: createFairYield(() => setImmediate()),
  }
}

/**
 * Lets one of those go on who wait for their turn, then everybody else, then the next: however many work, others are
 * kept waiting by one at a time.
 */
export function createFairYield(nextTurn: Ports['nextTurn']): Ports['nextTurn'] {
  const waiting: (() => void)[] = []
  const serve = async () => {
    for (let first = waiting[0]; first; first = waiting[0]) {
      await nextTurn()
      waiting.shift()
      first()
    }
  }
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve)
      if (waiting.length === 1) void serve()
    })
}

const idLength = 21

/** More at a time would be more than nanoid gets random bytes for. */
const idsAtOnce = 24

/**
 * Ids are drawn many at a time: nanoid joins its text character by character, and to copy each into one piece would take
 * longer than to draw it.
 */
function drawIds(): () => string {
  let drawn = ''
  let used = 0
  return () => {
    if (used === drawn.length) {
      drawn = Buffer.from(nanoid(idsAtOnce * idLength), 'latin1').toString('latin1')
      used = 0
    }
    used += idLength
    return drawn.slice(used - idLength, used)
  }
}
