/** Lets this process do something later. */
export interface Timers {
  after(ms: number, run: () => void): void
}

/** Timers that don't keep the process alive. */
export const systemTimers: Timers = {
  after: (ms, run) => void setTimeout(run, ms).unref(),
}
