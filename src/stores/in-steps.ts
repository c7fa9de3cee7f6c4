import { setTimeout as rest } from 'node:timers/promises'
import type { Semaphore } from '../lib/semaphore.ts'

/** So that work goes on, however long a step had to wait for others. */
const longestRestMs = 500

/** So that a step with nothing to do does not slow down those that have much. */
const mostTimesAsLong = 10

/**
 * Takes steps of work that turns wait behind, until one says that nothing is left. Between two it rests for as long as one
 * took, and for so many times as long as that was slower than the fastest: then the machine or its disk has others to serve,
 * who would wait for each step as long. In a line that others stand in, too, the rest is part of a step: however many there
 * are, turns have their time between two.
 */
export async function inSteps(step: () => Promise<boolean>, line: Semaphore = alone): Promise<void> {
  let fastestMs = Number.POSITIVE_INFINITY
  const stepAndRest = async () => {
    const from = performance.now()
    const isMore = await step()
    const tookMs = performance.now() - from
    fastestMs = Math.min(fastestMs, tookMs)
    if (isMore || line !== alone) await rest(restAfter(tookMs, fastestMs))
    return isMore
  }
  while (await line(stepAndRest));
}

const alone: Semaphore = (work) => work()

/** Milliseconds to rest after a step, by what it and the fastest took. */
export function restAfter(tookMs: number, fastestMs: number): number {
  return Math.min(longestRestMs, tookMs * Math.min(mostTimesAsLong, tookMs / fastestMs))
}
