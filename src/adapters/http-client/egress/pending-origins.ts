/** Origins with requests that still wait for a connection. */
interface PendingOrigins {
  /** Adds a request that waits for an origin until the signal. */
  add(origin: string, signal: AbortSignal): void
  isOver(origin: string): boolean
  /** Waits for something that is cancelled when no request waits for the origin any more. */
  whileWanted<T>(origin: string, work: Promise<T>, giveUp: () => void): Promise<T>
}

interface OriginWaiters {
  count: number
  readonly giveUps: Set<() => void>
}

/** Counts the requests that wait by origin, and drops an origin without any. */
export function createPendingOrigins(): PendingOrigins {
  const waiters = new Map<string, OriginWaiters>()

  function remove(origin: string, entry: OriginWaiters): void {
    entry.count--
    if (entry.count > 0) return
    waiters.delete(origin)
    for (const giveUp of entry.giveUps) giveUp()
  }

  return {
    add(origin, signal) {
      if (signal.aborted) return
      const entry = waiters.get(origin) ?? { count: 0, giveUps: new Set() }
      entry.count++
      waiters.set(origin, entry)
      signal.addEventListener('abort', () => remove(origin, entry), { once: true })
    },
    isOver: (origin) => !waiters.has(origin),
    async whileWanted(origin, work, giveUp) {
      const giveUps = waiters.get(origin)?.giveUps
      giveUps?.add(giveUp)
      return work.finally(() => giveUps?.delete(giveUp))
    },
  }
}
