/** Part of a number of conversations. */
export interface Share {
  readonly count: number
  readonly of: number
}

interface Interval {
  readonly low: number
  readonly high: number
}

/** Quantile of the normal distribution for the upper tail, by Abramowitz and Stegun 26.2.23: at most 0.00045 away. */
function upperQuantile(tail: number): number {
  const t = Math.sqrt(-2 * Math.log(tail))
  const above = 2.515517 + t * (0.802853 + t * 0.010328)
  const below = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308))
  return t - above / below
}

/** Interval of a share that holds it 95 times of 100, or as often for each of several at once (Bonferroni). */
export function wilson({ count, of }: Share, comparisons = 1): Interval {
  if (of === 0) return { low: 0, high: 1 }
  const z = upperQuantile(0.025 / comparisons)
  const share = count / of
  const middle = share + z ** 2 / (2 * of)
  const reach = z * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2))
  const width = 1 + z ** 2 / of
  return { low: Math.max(0, (middle - reach) / width), high: Math.min(1, (middle + reach) / width) }
}

/** Compares two shares: by Newcombe's interval of their difference, which is made of those by Wilson. */
export function compareShares(
  one: Share,
  other: Share,
  comparisons: number,
): 'higher' | 'lower' | 'none shown' {
  if (one.of === 0 || other.of === 0) return 'none shown'
  const [a, b] = [one.count / one.of, other.count / other.of]
  const [ofOne, ofOther] = [wilson(one, comparisons), wilson(other, comparisons)]
  const low = a - b - Math.hypot(a - ofOne.low, ofOther.high - b)
  const high = a - b + Math.hypot(ofOne.high - a, b - ofOther.low)
  if (low > 0) return 'higher'
  return high < 0 ? 'lower' : 'none shown'
}
