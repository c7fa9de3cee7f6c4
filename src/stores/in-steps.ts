import { setTimeout as rest } from 'node:timers/promises'
import { createSemaphore, type Semaphore } from '../lib/semaphore.ts'

/** So that work goes on, however long a step had to wait for others. */
const longestRestMs = 500

/** So that a step with nothing to do does not slow down those that have much. */
const mostTimesAsLong = 10

/** A line of all who take steps of one kind. */
export interface StepLine {
  /** Those who take a step, until they have rested after the first. */
  readonly steps: Semaphore
  /** Those who take further steps and rest after each, while others may begin. */
  readonly further: Semaphore
}

/** Has so many steps taken at once. */
export const createStepLine = (most: number): StepLine => ({
  steps: createSemaphore(most),
  further: createSemaphore(most),
})

/**
 * Takes steps of work that turns wait behind, until one says that nothing is left. Between two it rests for as long as one
 * took, and for so many times as long as that was slower than the fastest: then the machine or its disk has others to serve,
 * who would wait for each step as long. In a line that others stand in, too, who begins waits for no such rest, and rests in
 * its place for as long as its own step took: however many there are, turns have their time between two.
 */
export async function inSteps(step: () => Promise<boolean>, line: StepLine = alone): Promise<void> {
  let fastestMs = Number.POSITIVE_INFINITY
  let tookMs = 0
  const timed = async () => {
    const from = performance.now()
    const isMore = await step()
    tookMs = performance.now() - from
    fastestMs = Math.min(fastestMs, tookMs)
    return isMore
  }
  const andRest = async (place: Semaphore) => {
    const isMore = await place(timed)
    if (isMore || line !== alone) await rest(restAfter(tookMs, fastestMs))
    return isMore
  }
  let isMore = await line.steps(() => andRest(atOnce))
  while (isMore) isMore = await line.further(() => andRest(line.steps))
}

const atOnce: Semaphore = (work) => work()
const alone: StepLine = { steps: atOnce, further: atOnce }

/** Milliseconds to rest after a step, by what it and the fastest took. */
export function restAfter(tookMs: number, fastestMs: number): number {
  return Math.min(longestRestMs, tookMs * Math.min(mostTimesAsLong, tookMs / fastestMs))
}
