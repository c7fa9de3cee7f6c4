import type { ConversationTable } from './conversation-table.ts'
import type { LeaseTerms } from './unreturned-leases.ts'

interface RetriesOptions extends Pick<LeaseTerms, 'timers' | 'elapsed'> {
  readonly table: Pick<ConversationTable, 'watch'>
}

/** Milliseconds after which a turn tries again though nobody has woken it: a lease that runs out wakes nobody. */
const leastPauseMs = 25
const mostPauseMs = 500

/**
 * When a turn tries again that has met a lease of another process: whenever something happens to the session, and now and then
 * beside that. A line of others that never ends is no reason to wait for ever.
 */
export class Retries {
  readonly #options: RetriesOptions
  readonly #until: number
  #pauseMs = leastPauseMs
  #wake: (() => void) | undefined
  /** The lease may have gone before the watch was there. */
  #isWoken = true
  #end: (() => void) | undefined

  /** Until when it tries, by `elapsed`. */
  constructor(options: RetriesOptions, until: number) {
    this.#options = options
    this.#until = until
  }

  async watch(id: string): Promise<void> {
    this.#end ??= await this.#options.table.watch(id, () => this.wake())
  }

  wake(): void {
    this.#isWoken = true
    this.#wake?.()
  }

  /** Resolves when it is time for the next try; false where there is none any more. */
  async next(): Promise<boolean> {
    const { timers, elapsed } = this.#options
    if (elapsed() >= this.#until) return false
    if (!this.#isWoken) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
        timers.after(this.#pauseMs, resolve)
      })
      this.#pauseMs = Math.min(this.#pauseMs * 2, mostPauseMs)
    }
    this.#isWoken = false
    return true
  }

  end(): void {
    this.#end?.()
  }
}
