import type { Rounds } from './contest.ts'
import { median, rounded } from './figures.ts'
import type { Round } from './load.ts'

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

/** A row for each contestant, with the first one's ratios to the others. */
export function compareRounds(rounds: Rounds): Record<string, object> {
  return Object.fromEntries(
    Object.keys(rounds).map((name, index) => {
      const of = (figure: keyof Round, digits = 3) =>
        rounded(median(rounds[name]!.map((round) => round[figure])), digits)
      const { throughput, cpu } = ratiosTo(name, rounds)
      const row = {
        'requests/s': of('requestsPerSecond', 4),
        'CPU µs': of('cpuMicroseconds'),
        busy: of('busy', 2),
        'p50 ms': of('p50'),
        'p99 ms': of('p99'),
        ...(index > 0 && { 'throughput ratio': rounded(throughput), 'CPU ratio': rounded(cpu) }),
      }
      return [name, row]
    }),
  )
}
