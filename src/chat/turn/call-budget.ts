import { ServiceError } from '../../errors.ts'
import type { ChatDependencies } from '../dependencies.ts'

type Terms = Pick<ChatDependencies, 'ports' | 'limits' | 'closing' | 'metrics'>

/** What one turn, which begins now, may still do outside of the service. */
export class CallBudget {
  readonly #terms: Terms
  readonly #startedAt: number
  #calls = 0

  constructor(terms: Terms) {
    this.#terms = terms
    this.#startedAt = terms.ports.elapsed()
  }

  /** Whole milliseconds; none when it is 0 or less. */
  leftMs(): number {
    const { ports, limits, metrics } = this.#terms
    const left = Math.floor(limits.wholeTurnMs - (ports.elapsed() - this.#startedAt))
    if (left <= 0) metrics.limitReached('wholeTurnMs')
    return left
  }

  /** Makes a call that counts; undefined when the turn has made all that it may. Throws as `refuseWhenClosing`. */
  async call<Outcome>(make: () => Promise<Outcome>): Promise<Outcome | undefined> {
    const { limits, metrics } = this.#terms
    if (this.#calls >= limits.callsPerTurn) {
      metrics.limitReached('callsPerTurn')
      return undefined
    }
    this.#calls += 1
    const outcome = await make()
    this.refuseWhenClosing()
    return outcome
  }

  /** Throws SERVICE_UNAVAILABLE once the service is closing: the turn is dropped, its session stays as it was. */
  refuseWhenClosing(): void {
    if (this.#terms.closing.aborted)
      throw new ServiceError('SERVICE_UNAVAILABLE', 'The service is shutting down')
  }
}
