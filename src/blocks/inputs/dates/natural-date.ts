import type { ParsingComponents } from 'chrono-node/en'
import { lazyModule } from '../../../lib/lazy-module.ts'
import { longestFreeText } from '../lib/reply-result.ts'

const chrono = lazyModule<typeof import('chrono-node/en')>('chrono-node/en')

/** A moment that a text speaks of, in UTC. */
interface FoundMoment {
  /** Milliseconds since 1970; noon when the text has no time. */
  readonly at: number
  readonly hasTime: boolean
}

interface FoundDates {
  readonly start: FoundMoment
  /** The other end when the text speaks of a range. */
  readonly end: FoundMoment | undefined
}

/** Interpretation of a text: the moment that relative words start from, and the meaning of `05/03/2024`. */
interface Reading {
  readonly now: number
  readonly isDayFirst: boolean
}

/**
 * Finds the first date, or range of dates, in an English text. Everything is UTC, independent of the host's zone, but
 * for a zone that the text names itself.
 */
export function findDates(text: string, { now, isDayFirst }: Reading): FoundDates | undefined {
  if (text.length > longestFreeText) return undefined
  const { GB, casual } = chrono()
  const parser = isDayFirst ? GB : casual
  const [found] = parser.parse(text, { instant: new Date(now), timezone: 0 })
  const start = found && momentOf(found.start)
  if (!start) return undefined
  return { start, end: found.end && momentOf(found.end) }
}

function momentOf(components: Pick<ParsingComponents, 'date' | 'isCertain'>): FoundMoment | undefined {
  const at = components.date().getTime()
  return Number.isNaN(at) ? undefined : { at, hasTime: components.isCertain('hour') }
}

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
