import { openSync, readSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'

// Preloaded into the service while its event loop is watched (`--import`). On SIGCONT it writes a line with the longest
// stop since the last one, and with what a unit of work takes on this machine just now.

const resolution = 1
const units = 25

/** About a millisecond on a machine of 2026. */
function unitOfWork() {
  let x = 1
  for (let step = 0; step < 1_000_000; step++) x = (Math.imul(x, 1_664_525) + 1_013_904_223) | 0
  return x
}

/** Milliseconds that this thread has run, where the system says so: what others ran meanwhile is no stop of it. */
function createThreadClock() {
  try {
    const file = openSync(`/proc/self/task/${process.pid}/schedstat`)
    const bytes = Buffer.alloc(64)
    return () => Number(bytes.toString('latin1', 0, readSync(file, bytes, 0, 64, 0)).split(' ', 1)[0]) / 1e6
  } catch {
    return () => performance.now()
  }
}

/** The most that this thread has run between two looks at its clock, which a stop keeps from being made. */
function watchThread(clock) {
  let before = clock()
  let longest = 0
  const look = () => {
    const now = clock()
    longest = Math.max(longest, now - before)
    before = now
  }
  setInterval(look, resolution).unref()
  return {
    get longestMs() {
      look()
      return longest
    },
    reset() {
      before = clock()
      longest = 0
    },
  }
}

function measureUnit(clock) {
  const before = clock()
  for (let unit = 0; unit < units; unit++) unitOfWork()
  return (clock() - before) / units
}

if (isMainThread) {
  const clock = createThreadClock()
  measureUnit(clock)
  const delays = monitorEventLoopDelay({ resolution })
  delays.enable()
  const thread = watchThread(clock)
  process.on('SIGCONT', async () => {
    // The timer that measures waits its own time, too.
    const delayMs = Math.max(0, delays.max / 1e6 - resolution)
    const stopMs = Math.min(delayMs, thread.longestMs)
    const unitMs = measureUnit(clock)
    // What was calibrated with is no stop.
    await setTimeout(5 * resolution)
    delays.reset()
    thread.reset()
    process.stdout.write(`${JSON.stringify({ probe: { stopMs, unitMs } })}\n`)
  })
}
