import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'
import { createThreadClock, measureUnit, watchThread } from '../../support/event-loop-watch.js'

// Preloaded into the service while its event loop is watched (`--import`). On SIGCONT it writes a line with the longest
// stop since the last one, and with what a unit of work takes on this machine just now.

const resolution = 1
const units = 25

if (isMainThread) {
  const clock = createThreadClock()
  measureUnit(clock, units)
  const delays = monitorEventLoopDelay({ resolution })
  delays.enable()
  const thread = watchThread(clock, { resolution })
  process.on('SIGCONT', async () => {
    // The timer that measures waits its own time, too.
    const delayMs = Math.max(0, delays.max / 1e6 - resolution)
    const stopMs = Math.min(delayMs, thread.longestMs)
    const unitMs = measureUnit(clock, units)
    // What was calibrated with is no stop.
    await setTimeout(5 * resolution)
    delays.reset()
    thread.reset()
    process.stdout.write(`${JSON.stringify({ probe: { stopMs, unitMs } })}\n`)
  })
}
