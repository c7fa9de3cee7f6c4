import { repeating, type Timers } from '../../timers.ts'
import type { PostgresDatabase } from '../postgres-database.ts'
import { watchSessions } from './session-statements.ts'

interface Watched {
  readonly wakes: Set<() => void>
  state: string | undefined
}

const pollMs = 250

/** Wakes those who wait for something to happen to a session, in whatever process it happens: asks, while somebody waits. */
export class SessionWatch {
  readonly #query: PostgresDatabase['query']
  readonly #pollLater: () => void
  readonly #watched = new Map<string, Watched>()

  constructor({ query }: Pick<PostgresDatabase, 'query'>, timers: Timers) {
    this.#query = query
    // Who waits looks again at the end of its time, or is woken later.
    const isWanted = () => this.#watched.size > 0
    this.#pollLater = repeating({ timers, pauseMs: pollMs, isWanted, work: () => this.#poll() })
  }

  async watch(id: string, wake: () => void): Promise<() => void> {
    const state = this.#watched.get(id)?.state ?? (await this.#statesOf([id])).get(id)
    const entry = this.#watched.get(id) ?? { wakes: new Set(), state }
    // Two that wait may share a function.
    const call = () => wake()
    entry.wakes.add(call)
    this.#watched.set(id, entry)
    this.#pollLater()
    return () => {
      entry.wakes.delete(call)
      if (entry.wakes.size === 0 && this.#watched.get(id) === entry) this.#watched.delete(id)
    }
  }

  /** Something has happened in this process. */
  wake(id: string): void {
    for (const call of this.#watched.get(id)?.wakes ?? []) call()
  }

  async #statesOf(ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.#query<{ id: string; state: string }>(watchSessions, [ids])
    return new Map(rows.map(({ id, state }) => [id, state]))
  }

  async #poll(): Promise<void> {
    const asked = [...this.#watched]
    const states = await this.#statesOf(asked.map(([id]) => id))
    for (const [id, entry] of asked) {
      const state = states.get(id)
      if (state === entry.state) continue
      entry.state = state
      this.wake(id)
    }
  }
}
