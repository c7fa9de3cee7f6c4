export type Semaphore = ReturnType<typeof createSemaphore>

/**
 * Lets so many pieces of work run at once; the others begin as these end, in the order in which they came. Work that still waits
 * when its signal is aborted never begins: that rejects with the reason of the signal.
 */
export function createSemaphore(most: number) {
  let free = most
  const waiting = new Set<() => void>()
  return async <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    signal?.throwIfAborted()
    if (free === 0) await wait(waiting, signal)
    else free -= 1
    try {
      return await work()
    } finally {
      const [next] = waiting
      if (next) next()
      else free += 1
    }
  }
}

function wait(waiting: Set<() => void>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const begin = () => {
      leave()
      resolve()
    }
    const giveUp = () => {
      leave()
      reject(signal?.reason)
    }
    const leave = () => {
      waiting.delete(begin)
      signal?.removeEventListener('abort', giveUp)
    }
    waiting.add(begin)
    signal?.addEventListener('abort', giveUp)
  })
}

/**
 * Runs a task one at a time. A call while it runs asks for one more run afterwards, which all such calls share:
 * what a call resolves with has begun after the call.
 */
export function coalesce(task: () => Promise<void>): () => Promise<void> {
  let running = Promise.resolve()
  let next: Promise<void> | undefined
  function begin(): Promise<void> {
    next = undefined
    running = task()
    return running
  }
  return () => {
    next ??= running.then(begin, begin)
    return next
  }
}
