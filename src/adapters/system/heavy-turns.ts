import type { HeavyTurns } from '../../ports/load-port.ts'
import type { TurnQueue } from './turn-queue.ts'

/**
 * Duration of the report of a refusal, in milliseconds: longer than load balancers and monitors wait between two looks.
 */
const reportedMs = 10_000

/** Owners that share a queue of heavy turns, and its size. */
interface HeavyTurnOptions {
  readonly queue: Pick<TurnQueue, 'waiting'>
  /** Turns that wait before starts are refused; continues at twice as many. */
  readonly max: number
  elapsed(): number
  /** Called with each refusal. */
  refused(entry: 'start' | 'continue'): void
}

/** Heavy turns that share a queue. */
interface BoundedHeavyTurns extends HeavyTurns {
  /** Whether no start would be admitted. */
  readonly isFull: boolean
  readonly waiting: number
  /** Whether one was refused within the last seconds. */
  readonly hasRefused: boolean
}

export function boundHeavyTurns({ queue, max, elapsed, refused }: HeavyTurnOptions): BoundedHeavyTurns {
  let refusedAt = Number.NEGATIVE_INFINITY
  return {
    admit(entry) {
      if (queue.waiting < (entry === 'start' ? max : max * 2)) return true
      refusedAt = elapsed()
      refused(entry)
      return false
    },
    get isFull() {
      return queue.waiting >= max
    },
    get waiting() {
      return queue.waiting
    },
    get hasRefused() {
      return elapsed() - refusedAt < reportedMs
    },
  }
}
