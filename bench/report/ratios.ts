import { median } from '../support/figures.ts'
import type { Rounds } from '../support/rounds.ts'

/** The first of those that were measured beside another. */
export interface Ratios {
  /** Requests a second, of the other one's. */
  readonly throughput: number
  /** Server time a request, in times of the other one's. */
  readonly cpu: number
}

/** The ratio is taken round by round, each of which had the same disturbances. */
export function ratiosTo(name: string, rounds: Rounds): Ratios {
  const [first = []] = Object.values(rounds)
  const other = rounds[name]!
  const ratioOf = (figure: 'requestsPerSecond' | 'cpuMicroseconds') =>
    median(first.map((round, index) => round[figure] / other[index]![figure]))
  return { throughput: ratioOf('requestsPerSecond'), cpu: ratioOf('cpuMicroseconds') }
}
