import { Worker } from 'node:worker_threads'

/** Names what a command begins to work on. */
export type WorkingOn = (what: string) => void

/** Runs in a thread of its own: the one that it guards does nothing else any more. */
const guard = `
  const { workerData: { shared, limitMs }, parentPort } = require('node:worker_threads')
  const beats = new Int32Array(shared)
  let what = 'the command'
  let last = -1
  let since = Date.now()
  parentPort.on('message', (name) => { what = name; since = Date.now() })
  parentPort.unref()
  setInterval(() => {
    const beat = Atomics.load(beats, 0)
    if (beat !== last) { last = beat; since = Date.now() }
    if (Date.now() - since < limitMs) return
    require('node:fs').writeSync(2, what + ' takes too long: nothing was done for ' + limitMs / 1000 + ' seconds\\n')
    process.kill(process.pid, 'SIGTERM')
  }, Math.min(limitMs / 4, 1000))
`

/**
 * Ends the process, with a line that names the file, once the event loop has stood still for `limitMs` milliseconds: a
 * file may be crafted so that its processing never ends. Each file that is named has its own time. The thread starts
 * with the first file.
 */
export function guardAgainstStalls(limitMs: number): WorkingOn {
  let thread: Worker | undefined
  return (what) => {
    thread ??= startGuard(limitMs)
    thread.postMessage(what)
  }
}

function startGuard(limitMs: number): Worker {
  const shared = new SharedArrayBuffer(4)
  const beats = new Int32Array(shared)
  const thread = new Worker(guard, { eval: true, execArgv: [], workerData: { shared, limitMs } })
  thread.unref()
  setInterval(() => Atomics.add(beats, 0, 1), limitMs / 4).unref()
  return thread
}
