/** Wakes who waits for something; a wake that comes before the wait is not lost. */
export interface WakeSignal {
  wake(): void
  /** Resolves with the next wake, or with the one that came since the last wait. */
  wait(): Promise<void>
}

export function createWakeSignal(): WakeSignal {
  let isAwake = false
  let endWait = () => {}
  return {
    wake() {
      isAwake = true
      endWait()
    },
    async wait() {
      if (!isAwake) {
        await new Promise<void>((resolve) => {
          endWait = resolve
        })
      }
      isAwake = false
    },
  }
}
