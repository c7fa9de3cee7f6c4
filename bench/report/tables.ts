import { median, rounded } from '../support/figures.ts'
import type { Round } from '../support/load.ts'
import type { Rounds } from '../support/rounds.ts'
import { ratiosTo } from './ratios.ts'

/** A row for each candidate, with the first one's ratios to the others. */
export function roundsTable(rounds: Rounds): Record<string, Record<string, number>> {
  return Object.fromEntries(
    Object.keys(rounds).map((name, index) => {
      const of = (figure: keyof Round, digits = 3) =>
        rounded(median(rounds[name]!.map((round) => round[figure])), digits)
      const { throughput, cpu } = ratiosTo(name, rounds)
      const row: Record<string, number> = {
        'requests/s': of('requestsPerSecond', 4),
        'CPU µs': of('cpuMicroseconds'),
        busy: of('busy', 2),
        'p50 ms': of('p50'),
        'p99 ms': of('p99'),
      }
      if (index > 0) {
        row['× throughput'] = rounded(throughput)
        row['× CPU'] = rounded(cpu)
      }
      return [name, row]
    }),
  )
}
