/** Lets a number of pieces of work in at a time; the others wait, first come, first served. */
export interface Semaphore {
  /** Resolves inside the gate. Rejects with the signal's reason when that comes first. */
  enter(signal: AbortSignal): Promise<void>
  /** Lets the next one in. */
  leave(): void
}

export function createSemaphore(most: number): Semaphore {
  let free = most
  const waiting = new Set<() => void>()
  return {
    async enter(signal) {
      signal.throwIfAborted()
      if (free === 0) return wait(waiting, signal)
      free -= 1
    },
    leave() {
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
