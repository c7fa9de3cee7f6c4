import type { ParsingComponents } from 'chrono-node/en'
import { lazyModule } from '../../../lib/lazy-module.ts'
import { longestFreeText } from '../lib/free-text.ts'

const chrono = lazyModule<typeof import('chrono-node/en')>('chrono-node/en')

/** A moment that a text speaks of, in UTC. */
interface FoundMoment {
  /** Milliseconds since 1970; noon when the text has no time. */
  readonly at: number
  readonly hasTime: boolean
}

/** Dates in a text. */
interface FoundDates {
  readonly start: FoundMoment
  /** The other end when the text speaks of a range. */
  readonly end: FoundMoment | undefined
}

/** Interpretation of a text: the moment that relative words start from, and the meaning of `05/03/2024`. */
export interface Reading {
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
