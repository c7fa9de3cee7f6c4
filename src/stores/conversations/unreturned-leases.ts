import { repeating, type Timers } from '../timers.ts'
import type { ConversationTable, Held } from './conversation-table.ts'

interface Unreturned {
  readonly held: Held
  readonly until: number
  /** Whether giving it back once is enough. */
  readonly isKnown: boolean
}

export interface LeaseTerms {
  readonly table: Pick<ConversationTable, 'renewal' | 'release'>
  readonly timers: Timers
  /** Milliseconds of a clock that only goes forward. */
  elapsed(): number
}

/** Milliseconds between two tries. */
const retryMs = 250

/** Milliseconds that a request waits until what it held is back: of a server that does not answer, it would wait for its deadline. */
const longestWaitMs = 250

/** For how long something is owed where leases have no end of their own. */
const usualMs = 8000

/**
 * Leases and claims that could not be given back when they were to be, since the table was away. They are as soon as it is
 * there again, and forgotten once they have run out by themselves.
 */
export class UnreturnedLeases {
  readonly #options: LeaseTerms
  #unreturned: Unreturned[] = []
  readonly #tryLater: () => void
  #isClosed = false

  constructor(options: LeaseTerms) {
    this.#options = options
    this.#tryLater = repeating({
      timers: options.timers,
      pauseMs: retryMs,
      isWanted: () => !this.#isClosed && this.#unreturned.length > 0,
      work: () => this.#giveAll(),
    })
  }

  /** Gives it back, now or later. */
  async giveBack(held: Held): Promise<void> {
    const { table, timers } = this.#options
    const given = table.release([held]).catch(() => this.#owe(held, true))
    if (!table.renewal) return await given
    await Promise.race([given, new Promise<void>((resolve) => timers.after(longestWaitMs, resolve))])
  }

  /** Gives back what a call may have taken whose outcome is unknown: again and again, as the call may still arrive. */
  takeBack(held: Held): void {
    this.#owe(held, false)
    this.#options.table.release([held]).catch(() => undefined)
  }

  /** Tries nothing any more. */
  close(): void {
    this.#isClosed = true
  }

  #owe(held: Held, isKnown: boolean): void {
    const { table, elapsed } = this.#options
    this.#unreturned.push({ held, isKnown, until: elapsed() + (table.renewal?.leaseMs ?? usualMs) })
    this.#tryLater()
  }

  async #giveAll(): Promise<void> {
    const { table, elapsed } = this.#options
    const now = elapsed()
    this.#unreturned = this.#unreturned.filter(({ until }) => until > now)
    const tried = new Set(this.#unreturned)
    if (tried.size === 0) return
    await table.release([...tried].map(({ held }) => held))
    this.#unreturned = this.#unreturned.filter((each) => !each.isKnown || !tried.has(each))
  }
}
