/** Counts the time that code runs, and not the time that it waits. */
interface CpuClock {
  /** Milliseconds that the code may run. */
  limitMs: number
  isSpent(): boolean
  ranMs(): number
  measure<T>(run: () => T): T
  reset(): void
}

export function createCpuClock(): CpuClock {
  let used = 0
  let since: number | undefined
  const total = () => used + (since === undefined ? 0 : performance.now() - since)
  const clock: CpuClock = {
    limitMs: 0,
    ranMs: total,
    isSpent: () => total() > clock.limitMs,
    measure(run) {
      since = performance.now()
      try {
        return run()
      } finally {
        used = total()
        since = undefined
      }
    },
    reset() {
      used = 0
    },
  }
  return clock
}
