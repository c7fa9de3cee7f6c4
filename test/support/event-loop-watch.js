import { openSync, readSync } from 'node:fs'

// Parts of the probes that are preloaded into the service: what its main thread ran, and what the machine does just now.

/** About a millisecond on a machine of 2026. */
function unitOfWork() {
  let x = 1
  for (let step = 0; step < 1_000_000; step++) x = (Math.imul(x, 1_664_525) + 1_013_904_223) | 0
  return x
}

/** Milliseconds that this thread has run, where the system says so: what others ran meanwhile is no stop of it. */
export function createThreadClock() {
  try {
    const file = openSync(`/proc/self/task/${process.pid}/schedstat`)
    const bytes = Buffer.alloc(64)
    return () => Number(bytes.toString('latin1', 0, readSync(file, bytes, 0, 64, 0)).split(' ', 1)[0]) / 1e6
  } catch {
    return () => performance.now()
  }
}

/** The most that this thread has run between two looks at its clock, which a stop keeps from being made. */
export function watchThread(clock, { resolution, onLook = () => {} }) {
  let before = clock()
  let longest = 0
  const look = () => {
    const now = clock()
    longest = Math.max(longest, now - before)
    before = now
  }
  setInterval(() => {
    look()
    onLook(longest)
  }, resolution).unref()
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

/** Milliseconds that a unit of work takes on this machine just now. */
export function measureUnit(clock, units) {
  const before = clock()
  for (let unit = 0; unit < units; unit++) unitOfWork()
  return (clock() - before) / units
}
