/** Calls back unless it is stopped in time. */
interface Watchdog {
  watch(ms: number): void
  rest(): void
}

export function createWatchdog(bark: () => void): Watchdog {
  let timer: NodeJS.Timeout | undefined
  const rest = () => {
    clearTimeout(timer)
    timer = undefined
  }
  return {
    rest,
    watch(ms) {
      rest()
      const own = setTimeout(() => {
        // The service may be what was late: the answers that have arrived meanwhile are read first.
        setImmediate(() => timer === own && bark())
      }, ms)
      timer = own
    },
  }
}
