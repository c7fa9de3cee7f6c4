import { ServiceError } from '../../lib/errors.ts'
import type { Lease } from '../../stores/conversation-store.ts'
import type { TurnDependencies } from '../dependencies.ts'
import { turnLost } from '../session/enter-session.ts'

type Terms = Pick<TurnDependencies, 'ports' | 'limits' | 'closing' | 'metrics' | 'conversations'>

/** Budget of one turn for calls outside of the service. */
export class CallBudget {
  readonly #terms: Terms
  readonly #startedAt: number
  readonly #lease: Lease | undefined
  #calls = 0

  /** `startedAt` is when the turn began. Without a lease no other turn can hold the session. */
  constructor(terms: Terms, { startedAt, lease }: { startedAt: number; lease?: Lease | undefined }) {
    this.#terms = terms
    this.#lease = lease
    this.#startedAt = startedAt
  }

  /** Time left in whole milliseconds; none when it is 0 or less. */
  leftMs(): number {
    const { ports, limits, metrics } = this.#terms
    const left = Math.floor(limits.wholeTurnMs - (ports.elapsed() - this.#startedAt))
    if (left <= 0) metrics.limitReached('wholeTurnMs')
    return left
  }

  /**
   * Makes a call that counts; undefined when the turn has made all that it may. Throws as `refuseWhenClosing`, and before
   * the call when the turn has lost its session: somebody else may be making the same one.
   */
  async call<Outcome>(make: () => Promise<Outcome>): Promise<Outcome | undefined> {
    const { limits, metrics, conversations } = this.#terms
    if (this.#lease && !(await conversations.isHeld(this.#lease))) throw turnLost()
    if (this.#isSpent(limits, metrics)) return undefined
    this.#calls += 1
    const outcome = await make()
    this.refuseWhenClosing()
    return outcome
  }

  /** Counts one more try of a call; false when the turn has made all that it may. */
  countRepeat(): boolean {
    const { limits, metrics } = this.#terms
    if (this.#isSpent(limits, metrics)) return false
    this.#calls += 1
    return true
  }

  #isSpent({ callsPerTurn }: Terms['limits'], metrics: Terms['metrics']): boolean {
    const isSpent = this.#calls >= callsPerTurn
    if (isSpent) metrics.limitReached('callsPerTurn')
    return isSpent
  }

  /** Throws SERVICE_UNAVAILABLE once the service is closing: the turn is dropped, its session stays as it was. */
  refuseWhenClosing(): void {
    if (this.#terms.closing.aborted)
      throw new ServiceError('SERVICE_UNAVAILABLE', 'The service is shutting down')
  }
}
