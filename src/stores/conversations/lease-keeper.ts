import { repeating } from '../timers.ts'
import type { Held } from './conversation-table.ts'
import { type LeaseTerms, UnreturnedLeases } from './unreturned-leases.ts'

/** A lease, or the claim of a request that waits, for as long as this process knows it to hold. */
export interface KeptLease extends Held {
  /** By the clock of this process, until when no other can have the lease; undefined for a mere claim. */
  heldUntil: number | undefined
}

/** For this part of its time a lease is held for certain; then the table is asked. */
const certainShare = 7 / 8

/** Renews what this process holds until it is given back, which is tried until it is done. */
export class LeaseKeeper {
  readonly #options: LeaseTerms
  readonly #held = new Set<KeptLease>()
  readonly #unreturned: UnreturnedLeases
  /** Undefined where leases end with the process alone. */
  readonly #renewLater: (() => void) | undefined

  constructor(options: LeaseTerms) {
    this.#options = options
    this.#unreturned = new UnreturnedLeases(options)
    const { renewal } = options.table
    this.#renewLater =
      renewal &&
      repeating({
        timers: options.timers,
        pauseMs: renewal.leaseMs / 3,
        isWanted: () => this.#held.size > 0,
        // What runs out meanwhile is lost, and its commit refused.
        work: () => this.#renew([...this.#held]),
      })
  }

  hold(held: KeptLease): void {
    this.#held.add(held)
    this.#renewLater?.()
  }

  /** Until when a lease that is asked for now is held for certain. */
  heldUntil(): number {
    const { table, elapsed } = this.#options
    return table.renewal ? elapsed() + table.renewal.leaseMs * certainShare : Infinity
  }

  /** Whether it is held as far as this process knows: nothing is asked. */
  holds(held: KeptLease): boolean {
    return this.#held.has(held)
  }

  /** Whether it is still held, asking the table where that is not certain. */
  async confirm(held: KeptLease): Promise<boolean> {
    if (!this.#held.has(held)) return false
    if (this.#options.elapsed() < (held.heldUntil ?? 0)) return true
    await this.#renew([held])
    return this.#held.has(held)
  }

  /** Stops renewing it: the table has taken it back. */
  drop(held: KeptLease): void {
    this.#held.delete(held)
  }

  /** Gives it back: once the table is there again where it is away, unless it has run out by then. */
  async release(held: KeptLease): Promise<void> {
    this.#held.delete(held)
    await this.#unreturned.giveBack(held)
  }

  /** Gives back what a call may have taken that has failed, and may still arrive. */
  takeBack(held: Held): void {
    this.#unreturned.takeBack(held)
  }

  /** Gives everything back, for others to go on. */
  async abandon(): Promise<void> {
    const all = [...this.#held]
    this.#held.clear()
    this.#unreturned.close()
    if (all.length > 0) await this.#options.table.release(all, { isAbandoned: true }).catch(() => undefined)
  }

  async #renew(all: readonly KeptLease[]): Promise<void> {
    const { renewal } = this.#options.table
    if (!renewal || all.length === 0) return
    const until = this.heldUntil()
    // A claim that becomes a lease meanwhile was none for this call.
    const leased = all.filter(({ heldUntil }) => heldUntil !== undefined)
    const good = await renewal.renew(all)
    for (const held of leased) {
      if (good.has(held.token)) held.heldUntil = until
      else this.#held.delete(held)
    }
  }
}
