import { median, rounded } from './support/figures.ts'
import type { Round } from './support/load.ts'
import type { Rounds } from './support/rounds.ts'

/** The names of the two builds among the rounds. */
export const thisBuild = 'this build'
export const otherBuild = 'the other build'

/** The share of its throughput, or of its server time a request, that a row may lose. */
const mostLost = 0.03

/** How often the median of many rounds lies outside its interval, at most. */
const mostOutside = 0.07

/** A ratio of this build to the other, with the interval in which the rounds say that it lies. */
interface Interval {
  readonly ratio: number
  readonly low: number
  readonly high: number
}

/** What one row became, in times of the other build. */
interface Comparison {
  readonly throughput: Interval
  readonly cpu: Interval
  /** Whether more than `mostLost` is lost by the whole interval of either. */
  readonly isLoss: boolean
}

/** Compares two builds round by round. The slower of throughput and server time decides. */
export function compareBuilds(rounds: Rounds): Comparison {
  const throughput = intervalOf(ratios(rounds, 'requestsPerSecond'))
  const cpu = intervalOf(ratios(rounds, 'cpuMicroseconds'))
  const isLoss = throughput.high < 1 - mostLost || cpu.low > 1 + mostLost
  return { throughput, cpu, isLoss }
}

/** What a comparison looks like in a table. */
export function comparisonRow({ throughput, cpu, isLoss }: Comparison): Record<string, string> {
  return { '× throughput': written(throughput), '× CPU each': written(cpu), '': isLoss ? 'LOST' : '' }
}

function ratios(rounds: Rounds, figure: keyof Round): number[] {
  const other = rounds[otherBuild]!
  return rounds[thisBuild]!.map((round, index) => round[figure] / other[index]![figure])
}

/**
 * The median of some ratios, and the narrowest interval of two of them that holds the true median in 93 of 100
 * measurements whatever the disturbances are distributed like (the sign test). Fewer than five can't say so much, and
 * give the interval of all of them.
 */
export function intervalOf(values: readonly number[]): Interval {
  const sorted = values.toSorted((a, b) => a - b)
  let left = 0
  while (left + 1 < sorted.length / 2 && outside(sorted.length, left + 1) <= mostOutside) left += 1
  return { ratio: median(sorted), low: sorted[left]!, high: sorted[sorted.length - 1 - left]! }
}

/** How probable it is that at most `left` of so many values lie on one side of their median, on either side. */
function outside(count: number, left: number): number {
  let ways = 1
  let sum = 0
  for (let chosen = 0; chosen <= left; chosen++) {
    sum += ways
    ways = (ways * (count - chosen)) / (chosen + 1)
  }
  return (2 * sum) / 2 ** count
}

/** A ratio with its interval. */
export const written = ({ ratio, low, high }: Interval): string =>
  `${rounded(ratio)} (${rounded(low)}–${rounded(high)})`
