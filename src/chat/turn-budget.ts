import { ServiceError } from '../errors.ts'
import type { ChatDependencies } from './chat-dependencies.ts'

/** What one turn may still do outside of the service. */
export interface TurnBudget {
  /** Whole milliseconds; none when it is 0 or less. */
  leftMs(): number
  /** Makes a call that counts; undefined when the turn has made all that it may. Throws as `refuseWhenClosing`. */
  call<Outcome>(make: () => Promise<Outcome>): Promise<Outcome | undefined>
  /** Throws SERVICE_UNAVAILABLE once the service is closing: the turn is dropped, its session stays as it was. */
  refuseWhenClosing(): void
}

/** Opens the budget of a turn that begins now. */
export function openTurnBudget({
  ports,
  limits,
  closing,
  metrics,
}: Pick<ChatDependencies, 'ports' | 'limits' | 'closing' | 'metrics'>): TurnBudget {
  const startedAt = ports.elapsed()
  let calls = 0

  function refuseWhenClosing(): void {
    if (closing.aborted) throw new ServiceError('SERVICE_UNAVAILABLE', 'The service is shutting down')
  }

  return {
    leftMs() {
      const left = Math.floor(limits.wholeTurnMs - (ports.elapsed() - startedAt))
      if (left <= 0) metrics.limitReached('wholeTurnMs')
      return left
    },
    refuseWhenClosing,
    async call(make) {
      if (calls >= limits.callsPerTurn) {
        metrics.limitReached('callsPerTurn')
        return undefined
      }
      calls += 1
      const outcome = await make()
      refuseWhenClosing()
      return outcome
    },
  }
}
