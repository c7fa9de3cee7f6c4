export type Semaphore = ReturnType<typeof createSemaphore>

/** Lets a number of pieces of work in at a time; the others wait, first come, first served. */
export function createSemaphore(most: number) {
  let free = most
  const waiting = new Set<() => void>()
  return {
    /** Resolves inside the gate. Rejects with the signal's reason when that comes first. */
    async enter(signal: AbortSignal): Promise<void> {
      signal.throwIfAborted()
      if (free === 0) return wait(waiting, signal)
      free -= 1
    },
    leave(): void {
      const [next] = waiting
      if (next) next()
      else free += 1
    },
  }
}

function wait(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const comeIn = () => {
      giveUp()
      resolve()
    }
    const fail = () => {
      giveUp()
      reject(signal.reason)
    }
    const giveUp = () => {
      waiting.delete(comeIn)
      signal.removeEventListener('abort', fail)
    }
    waiting.add(comeIn)
    signal.addEventListener('abort', fail)
  })
}
