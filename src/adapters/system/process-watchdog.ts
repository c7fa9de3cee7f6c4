import { url as debuggerUrl } from 'node:inspector'
import { startThread } from '../../lib/threads/start-thread.ts'

/** Exit code of a stalled process, so that a supervisor can tell it from others: EX_SOFTWARE of sysexits(3). */
const stalledExitCode = 70

/** Interval of the event loop's sign of life. */
const beatMs = 500

/** Name under which the thread finds the function that ends the process, while the event loop is blocked. */
const endName = 'flow-runtime.end-stalled'

export interface WatchdogData {
  /** Counted up by the event loop. */
  readonly beats: Int32Array
  readonly seconds: number
  /** Expression that the stalled thread evaluates: it ends the process, or returns that a debugger is attached. */
  readonly expression: string
}

/** Result of the expression in a process that a debugger is attached to. */
export const isDebugged = 'debugged'

interface WatchdogOptions {
  /** Longest stall of the event loop. */
  readonly seconds: number
  /** Writes one line. `error` has the stack of what the event loop is busy with. */
  report(error: Error): void
}

/**
 * Ends the process when its event loop stalls for that many seconds: every request then waits, and no signal is
 * handled. A thread detects the stall, and interrupts the running code; code that can't be interrupted is killed. A
 * process that a debugger is attached to goes on. Returns a function that stops the watch.
 */
export function startWatchdog({ seconds, report }: WatchdogOptions): () => void {
  const beats = new Int32Array(new SharedArrayBuffer(4))
  const beat = setInterval(() => Atomics.add(beats, 0, 1), beatMs).unref()
  const end = () => {
    if (debuggerUrl() !== undefined) return isDebugged
    Error.stackTraceLimit = 30
    report(new Error(`The event loop stood still for ${seconds} s`))
    process.exit(stalledExitCode)
  }
  Object.defineProperty(globalThis, Symbol.for(endName), { value: end, configurable: true })
  const expression = `globalThis[Symbol.for('${endName}')]()`
  const workerData: WatchdogData = { beats, seconds, expression }
  const thread = startThread('adapters/system/process-watchdog-thread', { workerData })
  thread.unref()
  return () => {
    clearInterval(beat)
    void thread.terminate()
  }
}
