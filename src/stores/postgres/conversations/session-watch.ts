import { createSubscribers } from '../../in-process/subscribers.ts'
import { repeating, type Timers } from '../../timers.ts'
import type { PostgresDatabase } from '../postgres-database.ts'
import { watchSessions } from './session-statements.ts'

const pollMs = 250

/** Wakes those who wait for something to happen to a session, in whatever process it happens: asks, while somebody waits. */
export class SessionWatch {
  readonly #query: PostgresDatabase['query']
  readonly #pollLater: () => void
  readonly #subscribers = createSubscribers()
  /** Of the sessions that somebody watches, as they were last seen. */
  readonly #states = new Map<string, string | undefined>()

  constructor({ query }: Pick<PostgresDatabase, 'query'>, timers: Timers) {
    this.#query = query
    // Who waits looks again at the end of its time, or is woken later.
    const isWanted = () => this.#states.size > 0
    this.#pollLater = repeating({ timers, pauseMs: pollMs, isWanted, work: () => this.#poll() })
  }

  async watch(id: string, wake: () => void): Promise<() => void> {
    const state = this.#states.get(id) ?? (await this.#statesOf([id])).get(id)
    if (!this.#states.has(id)) this.#states.set(id, state)
    const end = this.#subscribers.add(id, wake)
    this.#pollLater()
    return () => {
      end()
      if (!this.#subscribers.has(id)) this.#states.delete(id)
    }
  }

  /** Something has happened in this process. */
  wake(id: string): void {
    this.#subscribers.wake(id)
  }

  async #statesOf(ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.#query<{ id: string; state: string }>(watchSessions, [ids])
    return new Map(rows.map(({ id, state }) => [id, state]))
  }

  async #poll(): Promise<void> {
    const asked = [...this.#states]
    const states = await this.#statesOf(asked.map(([id]) => id))
    for (const [id, before] of asked) {
      const state = states.get(id)
      if (state === before || !this.#states.has(id)) continue
      this.#states.set(id, state)
      this.wake(id)
    }
  }
}
