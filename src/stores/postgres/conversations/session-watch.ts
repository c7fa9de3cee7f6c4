import { createSubscribers } from '../../memory/subscribers.ts'
import type { Timers } from '../../timers.ts'
import type { PostgresDatabase } from '../postgres-database.ts'
import { watchSessions } from './session-statements.ts'

/** Wakes those who wait for something to happen to a session, in whatever process it happens. */
export interface SessionWatch {
  subscribe(id: string, wake: () => void): Promise<() => void>
  /** Something has happened in this process. */
  wake(id: string): void
}

const pollMs = 250

interface Watched {
  /** Who waits. */
  count: number
  state: string
}

export function createSessionWatch({ query }: Pick<PostgresDatabase, 'query'>, timers: Timers): SessionWatch {
  const subscribers = createSubscribers()
  const watched = new Map<string, Watched>()
  let isScheduled = false

  async function statesOf(ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await query<{ id: string; state: string }>(watchSessions, [ids])
    return new Map(rows.map(({ id, state }) => [id, state]))
  }

  function schedule(): void {
    if (isScheduled || watched.size === 0) return
    isScheduled = true
    timers.after(pollMs, () => {
      void poll().finally(() => {
        isScheduled = false
        schedule()
      })
    })
  }

  async function poll(): Promise<void> {
    try {
      const asked = [...watched]
      const states = await statesOf(asked.map(([id]) => id))
      for (const [id, entry] of asked) {
        const state = states.get(id) ?? ''
        if (state === entry.state) continue
        entry.state = state
        subscribers.wake(id)
      }
    } catch {
      // Who waits looks again at the end of its time, or is woken later.
    }
  }

  return {
    async subscribe(id, wake) {
      const state = watched.get(id)?.state ?? (await statesOf([id])).get(id) ?? ''
      const entry = watched.get(id) ?? { count: 0, state }
      entry.count += 1
      watched.set(id, entry)
      const end = subscribers.add(id, wake)
      schedule()
      let hasEnded = false
      return () => {
        if (hasEnded) return
        hasEnded = true
        end()
        entry.count -= 1
        if (entry.count === 0 && watched.get(id) === entry) watched.delete(id)
      }
    },
    wake: subscribers.wake,
  }
}
