import { Session } from 'node:inspector/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'

// Preloaded into a server that is measured: answers what whoever started it asks about memory and event loop.

const milliseconds = (nanoseconds) => nanoseconds / 1e6
const resolution = 1

/** What was freed is told to the host by and by. */
async function collectGarbage() {
  for (let turn = 0; turn < 3; turn++) {
    globalThis.gc()
    await setImmediate()
  }
}

async function startProfile(inspector) {
  inspector.connect()
  await inspector.post('Profiler.enable')
  await inspector.post('Profiler.start')
}

function answerQuestions() {
  const delays = monitorEventLoopDelay({ resolution })
  delays.enable()
  // The timer that measures is part of each delay.
  const late = (share) => Math.max(0, milliseconds(delays.percentile(share)) - resolution)
  const inspector = new Session()
  process.on('message', async (question) => {
    if (question === 'start profile') await startProfile(inspector)
    const profile = question === 'profile' ? await inspector.post('Profiler.stop') : undefined
    if (question === 'memory') await collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    const answer = {
      heap: heapUsed,
      buffers: external,
      delays: { p50: late(50), p99: late(99), max: late(100) },
      ...profile,
    }
    delays.reset()
    process.send(answer)
  })
  process.channel.unref()
}

// The threads of the server load this, too.
if (isMainThread) answerQuestions()
