import { writeSync } from 'node:fs'
import { Session } from 'node:inspector'
import { workerData } from 'node:worker_threads'
import { isDebugged, type WatchdogData } from './process-watchdog.ts'

/** Time for the event loop's thread to be interrupted: it is when it calls a function, loops or allocates. */
const interruptMs = 5_000

const { beats, seconds, expression } = workerData as WatchdogData

/**
 * Has the thread of the event loop end the process: it knows what it is busy with, and its exit code is the one of the
 * process. A signal could not do it where this is the first process of a container, nor `process.exit` from here.
 */
function end(): void {
  const session = new Session()
  session.connectToMainThread()
  const kill = setTimeout(() => {
    const msg = `the event loop stood still for ${seconds} s, and nothing can interrupt what it does: the process is killed`
    try {
      writeSync(1, `${JSON.stringify({ level: 60, time: Date.now(), pid: process.pid, msg })}\n`)
    } finally {
      // Also where nobody reads the output any more.
      process.kill(process.pid, 'SIGKILL')
    }
  }, interruptMs)
  session.post('Runtime.evaluate', { expression, returnByValue: true }, (_error, answer) => {
    if (answer?.result.value === isDebugged) clearTimeout(kill)
    session.disconnect()
  })
}

let last = Atomics.load(beats, 0)
let stillFor = 0

setInterval(() => {
  const beat = Atomics.load(beats, 0)
  // Seconds are counted, not taken from a clock: a process that was stopped with all its threads did not stand still.
  stillFor = beat === last ? stillFor + 1 : 0
  last = beat
  if (stillFor === seconds) end()
}, 1_000)
