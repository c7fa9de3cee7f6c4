import type { ConversationTable } from './conversation-table.ts'
import type { LeaseTerms } from './unreturned-leases.ts'

interface RetryTerms extends Pick<LeaseTerms, 'timers' | 'elapsed'> {
  readonly table: Pick<ConversationTable, 'watch'>
  /** Has what brings about the next try at once, as long as there may be one. */
  readonly wakes: Set<() => void>
}

/** Milliseconds after which a turn tries again though nobody has woken it: a lease that runs out wakes nobody. */
const leastPauseMs = 25
const mostPauseMs = 500

/**
 * When a turn tries again that has met a lease of another process: whenever something happens to the session, and now and then
 * beside that, until a time of `elapsed`. A line of others that never ends is no reason to wait for ever.
 */
export async function* retriesOf(id: string, until: number, terms: RetryTerms): AsyncGenerator<void> {
  const { table, timers, elapsed, wakes } = terms
  // The lease may have gone before the watch was there.
  let isWoken = true
  let goOn: (() => void) | undefined
  const wake = () => {
    isWoken = true
    goOn?.()
  }
  wakes.add(wake)
  let end: (() => void) | undefined
  try {
    end = await table.watch(id, wake)
    for (let pauseMs = leastPauseMs; elapsed() < until; ) {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          goOn = resolve
          timers.after(pauseMs, resolve)
        })
        pauseMs = Math.min(pauseMs * 2, mostPauseMs)
      }
      isWoken = false
      yield
    }
  } finally {
    end?.()
    wakes.delete(wake)
  }
}
