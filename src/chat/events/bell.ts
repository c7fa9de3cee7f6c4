/** Wakes who waits for something; a ring that comes before the wait is not lost. */
export interface Bell {
  ring(): void
  /** Resolves with the next ring, or with the one that came since the last wait. */
  wait(): Promise<void>
}

export function createBell(): Bell {
  let hasRung = false
  let wake = () => {}
  return {
    ring() {
      hasRung = true
      wake()
    },
    async wait() {
      if (!hasRung) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      hasRung = false
    },
  }
}
