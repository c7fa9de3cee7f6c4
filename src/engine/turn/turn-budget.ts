import type { Effects } from '../model/effects.ts'
import { LimitExceeded, type Limits, type TurnLimit } from '../model/limits.ts'
import type { CompiledBlock } from '../model/program.ts'

/** Blocks between two pauses in which other requests are served. */
const blocksPerYield = 4

/** Characters charged after which others get such a chance before the next block, however few blocks there were. */
const costPerYield = 16 * 1024

/** Characters between two looks of a busy block at the clock. */
const costPerDeadlineCheck = 64 * 1024

/** Counts what one turn uses up, and throws `LimitExceeded` when that is more than it may. */
export class TurnBudget {
  readonly limits: Limits
  /** Every block that ran, for naming the loop that used up a budget. */
  readonly trail: CompiledBlock[] = []
  /** The limits that the turn came up against, as often as it did; for the operator. */
  readonly limitsReached: TurnLimit[] = []
  /** Characters counted so far. */
  cost = 0
  /** Whether a budget was spent, so that nothing more is run. */
  isStopped = false
  readonly #clock: () => number
  /** When others could last be served, and the characters after which the clock is looked at again. */
  #resumedAt: number
  #nextDeadlineCheck = costPerDeadlineCheck
  #nextYield = costPerYield

  /** `clock` returns milliseconds that only ever grow. */
  constructor(limits: Limits, clock: () => number) {
    this.limits = limits
    this.#clock = clock
    this.#resumedAt = clock()
  }

  /** Counts a block. Returns whether it is time to let others be served. */
  enter(block: CompiledBlock): boolean {
    if (this.trail.length >= this.limits.blocksPerTurn) {
      throw new LimitExceeded('blocksPerTurn', `more than ${this.trail.length} blocks in one turn`)
    }
    this.trail.push(block)
    return this.trail.length % blocksPerYield === 0 || this.cost > this.#nextYield
  }

  /** Counts characters that are put into texts and responses. */
  consume(characters: number): void {
    this.cost += characters
    if (this.cost > this.limits.charactersPerTurn) {
      throw new LimitExceeded(
        'charactersPerTurn',
        `more than ${this.limits.charactersPerTurn} characters in one turn`,
      )
    }
    if (this.cost > this.#nextDeadlineCheck) this.#checkDeadline()
  }

  /** Lets others be served. Throws when the turn has used up its time. */
  *letOthersRun(): Effects<void> {
    const isTimeLeft = yield { type: 'yield' }
    if (!isTimeLeft) {
      throw new LimitExceeded('turnMs', `more than ${this.limits.turnMs} ms of engine time in one turn`)
    }
    this.onResumed()
  }

  /** Others had a chance to be served. */
  onResumed(): void {
    this.#resumedAt = this.#clock()
    this.#nextYield = this.cost + costPerYield
  }

  /** Notes the limit that ends the turn. */
  stop(limit: TurnLimit): void {
    this.isStopped = true
    this.limitsReached.push(limit)
  }

  /** A backstop: one block can be given so much to do that counting alone would let it run for seconds. */
  #checkDeadline(): void {
    this.#nextDeadlineCheck = this.cost + costPerDeadlineCheck
    if (this.#clock() - this.#resumedAt > this.limits.blockMs) {
      throw new LimitExceeded('blockMs', `it went on for more than ${this.limits.blockMs} ms without a break`)
    }
  }
}
