import type { Timers } from './timers.ts'

/**
 * What could not be given back when it was to be, since the server was away: leases, places in line and claimed keys. It
 * is given back as soon as the server is there again, and forgotten once its lease has run out by itself.
 */
export interface Unreturned<T> {
  /** Gives it back, now or later. */
  giveBack(item: T): Promise<void>
  /** Gives back what a call may have taken whose outcome is unknown: again and again, as the call may still arrive. */
  takeBack(item: T): void
  /** Tries nothing any more. */
  close(): void
}

export interface UnreturnedOptions<T> {
  /** Rejects when the server can't be reached. */
  give(items: readonly T[]): Promise<unknown>
  readonly leaseMs: number
  readonly timers: Timers
  /** Milliseconds of a clock that only goes forward. */
  elapsed(): number
}

interface Owed<T> {
  readonly item: T
  readonly until: number
  /** Whether giving it back once is enough. */
  readonly isKnown: boolean
}

/** Milliseconds between two tries. */
const retryMs = 250

export function createUnreturned<T>({ give, leaseMs, timers, elapsed }: UnreturnedOptions<T>): Unreturned<T> {
  let owed: Owed<T>[] = []
  let isScheduled = false
  let isClosed = false

  function owe(item: T, isKnown: boolean): void {
    owed.push({ item, isKnown, until: elapsed() + leaseMs })
    schedule()
  }

  function schedule(): void {
    if (isScheduled || isClosed || owed.length === 0) return
    isScheduled = true
    timers.after(retryMs, () => {
      void giveAll().finally(() => {
        isScheduled = false
        schedule()
      })
    })
  }

  async function giveAll(): Promise<void> {
    const now = elapsed()
    owed = owed.filter(({ until }) => until > now)
    const tried = new Set(owed)
    if (isClosed || tried.size === 0) return
    try {
      await give([...tried].map(({ item }) => item))
      owed = owed.filter((each) => !each.isKnown || !tried.has(each))
    } catch {
      // The next try may find it.
    }
  }

  return {
    async giveBack(item) {
      await give([item]).catch(() => owe(item, true))
    },
    takeBack(item) {
      owe(item, false)
      give([item]).catch(() => undefined)
    },
    close() {
      isClosed = true
    },
  }
}
