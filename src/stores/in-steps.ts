import { setTimeout as rest } from 'node:timers/promises'

/** So that work goes on, however long a step had to wait for others. */
const longestRestMs = 50

/**
 * Takes steps of work that turns wait behind, until one says that nothing is left. Between two it rests for as long as one
 * took: a turn then meets one of them at most, and the slower the machine or its disk is, the less of it the work takes.
 */
export async function inSteps(step: () => Promise<boolean>): Promise<void> {
  for (;;) {
    const from = performance.now()
    if (!(await step())) return
    await rest(Math.min(longestRestMs, performance.now() - from))
  }
}
