/** Counts the time that code runs, and not the time that it waits. */
export interface Clock {
  isSpent(): boolean
  ranMs(): number
  measure<T>(run: () => T): T
  reset(): void
}

export function createClock(limitMs: number): Clock {
  let used = 0
  let since: number | undefined
  const total = () => used + (since === undefined ? 0 : performance.now() - since)
  return {
    ranMs: total,
    isSpent: () => total() > limitMs,
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
}
