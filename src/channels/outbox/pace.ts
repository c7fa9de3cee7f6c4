import type { Rate } from '../messenger.ts'

/** Names whose turn is remembered: those that nothing was sent to for long go first. */
const mostNames = 50_000

/** Keeps what this process sends within the rates of a messenger: for each name, and what exceeds it is told how long to wait. */
export class Pace {
  readonly #rate: Rate
  readonly #elapsed: () => number
  /** When all that was sent would have been, at an even pace. */
  readonly #until = new Map<string, number>()

  constructor(rate: Rate, elapsed: () => number) {
    this.#rate = rate
    this.#elapsed = elapsed
  }

  /** Milliseconds until one more may be sent; 0 for now. */
  waitMs(name: string): number {
    const { messages, perMs, burst = messages } = this.#rate
    const now = this.#elapsed()
    const ahead = (this.#until.get(name) ?? 0) - now
    return Math.max(0, Math.ceil(ahead - (burst - 1) * (perMs / messages)))
  }

  /** How many may be sent now. */
  free(name: string): number {
    const { messages, perMs, burst = messages } = this.#rate
    const ahead = Math.max(0, (this.#until.get(name) ?? 0) - this.#elapsed())
    return Math.max(0, Math.floor(burst - ahead / (perMs / messages)))
  }

  /** Counts one that is sent. */
  count(name: string): void {
    const { messages, perMs } = this.#rate
    const now = this.#elapsed()
    const until = Math.max(this.#until.get(name) ?? 0, now) + perMs / messages
    this.#until.delete(name)
    this.#until.set(name, until)
    const [oldest] = this.#until.keys()
    if (this.#until.size > mostNames && oldest !== undefined) this.#until.delete(oldest)
  }
}
