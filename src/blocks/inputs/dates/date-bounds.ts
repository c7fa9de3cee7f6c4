import { findDates, type Reading } from './natural-date.ts'

/** The bounds of a date, as they are shown. */
interface DateBounds {
  readonly min: string | number | undefined
  readonly max: string | number | undefined
  /** Without it every bound is the whole day. */
  readonly hasTime: boolean
  /** Bounds are read as replies are, so that a bound can be an earlier answer. */
  readonly reading: Reading
}

const dayMs = 86_400_000

/**
 * Whether a moment is within bounds, both included. A bound without a time is its whole day, as pickers show it.
 * One that cannot be read never refuses.
 */
export function isInBounds(at: number, { min, max, hasTime, reading }: DateBounds): boolean {
  const from = spanOf(min, hasTime, reading)
  const to = spanOf(max, hasTime, reading)
  return (from === undefined || at >= from.start) && (to === undefined || at <= to.end)
}

function spanOf(bound: string | number | undefined, hasTime: boolean, reading: Reading) {
  const found = bound === undefined ? undefined : findDates(String(bound), reading)?.start
  if (!found) return undefined
  if (hasTime && found.hasTime) return { start: found.at, end: found.at }
  const start = Math.floor(found.at / dayMs) * dayMs
  return { start, end: start + dayMs - 1 }
}
