import { url as debuggerUrl } from 'node:inspector'
import { startThread } from '../../start-thread.ts'

/** What a process that stood still ends with, so that what supervises it knows it apart: EX_SOFTWARE of sysexits(3). */
export const stalledExitCode = 70

/** How often the event loop shows that it goes on. */
const beatMs = 500

/** The name by which the thread finds the end of the process, whatever the event loop is busy with. */
const endName = 'flow-runtime.end-stalled'

/** What the thread is started with. */
export interface WatchdogData {
  /** Counted up by the event loop. */
  readonly beats: Int32Array
  readonly seconds: number
  /** To be evaluated by the thread that stands still: ends the process, or returns that a debugger holds it. */
  readonly expression: string
}

/** What the expression returns where the process is to go on. */
export const isDebugged = 'debugged'

export interface WatchdogOptions {
  /** How long the event loop may stand still. */
  readonly seconds: number
  /** Writes one line. `error` has the stack of what the event loop is busy with. */
  report(error: Error): void
}

/**
 * Ends the process when its event loop stands still for so many seconds: whatever it does then keeps everybody waiting, and
 * no signal is heard any more. A thread sees it, and interrupts what runs; what can't be interrupted is killed. A process that
 * a debugger is attached to goes on. Returns what ends the watch.
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
