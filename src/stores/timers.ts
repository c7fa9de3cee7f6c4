/** Lets this process do something later. */
export interface Timers {
  after(ms: number, run: () => void): void
}

interface Repeated {
  readonly timers: Timers
  readonly pauseMs: number
  /** Whether there is something to do. */
  isWanted(): boolean
  /** That it fails is no reason to end. */
  work(): Promise<unknown>
}

/** Returns what has work done again and again, unless it is already, as long as it is wanted and with a pause before each time. */
export function repeating({ timers, pauseMs, isWanted, work }: Repeated): () => void {
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || !isWanted()) return
    isScheduled = true
    timers.after(pauseMs, () => void workAndSchedule())
  }

  async function workAndSchedule(): Promise<void> {
    if (isWanted()) await work().catch(() => undefined)
    isScheduled = false
    schedule()
  }

  return schedule
}

/** Timers that don't keep the process alive. */
export const systemTimers: Timers = {
  after: (ms, run) => void setTimeout(run, ms).unref(),
}
