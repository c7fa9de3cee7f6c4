import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'

// Preloaded into a server that is measured: answers what whoever started it asks about memory and event loop.

const milliseconds = (nanoseconds) => nanoseconds / 1e6
const resolution = 1
const delays = monitorEventLoopDelay({ resolution })
delays.enable()

/** What was freed is told to the host by and by. */
async function collectGarbage() {
  for (let turn = 0; turn < 3; turn++) {
    globalThis.gc()
    await setImmediate()
  }
}

process.on('message', async (question) => {
  if (question === 'memory') await collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  // The timer that measures is part of each delay.
  const late = (share) => Math.max(0, milliseconds(delays.percentile(share)) - resolution)
  const answer = {
    heap: heapUsed,
    buffers: external,
    delays: { p50: late(50), p99: late(99), max: late(100) },
  }
  delays.reset()
  process.send(answer)
})
process.channel.unref()
