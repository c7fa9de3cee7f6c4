/** The places that requests of this process have in queues. */
export interface QueuePlaces {
  /** Resolves when a token may try again: it was called, or enough time has passed. */
  wait(token: string): Promise<void>
  call(token: string): void
  /** Calls all, and refuses further ones. */
  close(): void
}

/** Calls that came before their token waits are remembered up to this number. */
const mostEarly = 1000

export function createQueuePlaces(pollMs: number): QueuePlaces {
  const waiting = new Map<string, () => void>()
  const early = new Set<string>()
  let isClosed = false
  return {
    wait(token) {
      if (isClosed || early.delete(token)) return Promise.resolve()
      return new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer)
          waiting.delete(token)
          resolve()
        }
        const timer = setTimeout(end, pollMs)
        waiting.set(token, end)
      })
    },
    call(token) {
      const end = waiting.get(token)
      if (end) return end()
      if (early.size >= mostEarly) early.clear()
      early.add(token)
    },
    close() {
      isClosed = true
      for (const end of [...waiting.values()]) end()
    },
  }
}
