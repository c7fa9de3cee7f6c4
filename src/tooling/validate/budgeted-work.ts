import type { ChatDependencies } from '../../conversations/dependencies.ts'
import { sliceMs } from '../../conversations/turn/yield-to-event-loop.ts'
import { tooManyHeavy } from '../../lib/errors.ts'

/** Does work in slices, as turns are run: others are served in between, and all of it has the time of one turn. */
export class BudgetedWork {
  readonly #deps: Pick<ChatDependencies, 'ports' | 'limits' | 'heavyTurns'>
  #usedMs = 0
  #since: number
  #isAdmitted = false

  constructor(deps: Pick<ChatDependencies, 'ports' | 'limits' | 'heavyTurns'>) {
    this.#deps = deps
    this.#since = deps.ports.elapsed()
  }

  /** Whether the time of a turn is used up. The work goes on all the same, as it knows best where it can end. */
  get isOver(): boolean {
    return this.#usedMs + this.#sliceUsedMs > this.#deps.limits.turnMs
  }

  /** Takes every step. Throws SERVICE_UNAVAILABLE where it takes long and too many others do. */
  async run<Result>(steps: Generator<void, Result>): Promise<Result> {
    await this.#deps.ports.firstTurn()
    let step = steps.next()
    while (!step.done) {
      if (this.#sliceUsedMs >= sliceMs) await this.#yieldToEventLoop()
      step = steps.next()
    }
    return step.value
  }

  get #sliceUsedMs(): number {
    return this.#deps.ports.elapsed() - this.#since
  }

  async #yieldToEventLoop(): Promise<void> {
    const { heavyTurns, ports } = this.#deps
    if (!this.#isAdmitted && !heavyTurns.admit('start')) throw tooManyHeavy()
    this.#isAdmitted = true
    this.#usedMs += this.#sliceUsedMs
    await ports.nextTurn()
    this.#since = ports.elapsed()
  }
}
