import { setTimeout as rest } from 'node:timers/promises'
import type { Semaphore } from '../lib/semaphore.ts'

/** So that work goes on, however long a step had to wait for others. */
const longestRestMs = 50

/**
 * Takes steps of work that turns wait behind, until one says that nothing is left. Between two it rests for as long as one
 * took: a turn then meets one of them at most, and the slower the machine or its disk is, the less of it the work takes. In a
 * line that others stand in, too, the rest is part of a step: however many there are, turns have their time between two.
 */
export async function inSteps(step: () => Promise<boolean>, line: Semaphore = alone): Promise<void> {
  const stepAndRest = async () => {
    const from = performance.now()
    const isMore = await step()
    if (isMore || line !== alone) await rest(Math.min(longestRestMs, performance.now() - from))
    return isMore
  }
  while (await line(stepAndRest));
}

const alone: Semaphore = (work) => work()
