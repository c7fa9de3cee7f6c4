import { formatInZone, momentInZone } from '../../engine/values/zoned-time.ts'

interface UntilTerms {
  /** Milliseconds since 1970. */
  readonly now: number
  /** A known zone. */
  readonly zone: string
  readonly onWeekdays: boolean
}

const timeOfDay = /^([01]?\d|2[0-3]):[0-5]\d$/
const local = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)?$/
const dayMs = 24 * 60 * 60 * 1000
/** Later ones can be beyond what a date holds, once they are in their zone. */
const latest = Date.UTC(10_000, 0)

/** The moment that a Wait block names, or the next one at a time of day; undefined for what is neither. */
export function momentToWaitFor(text: string, { now, zone, onWeekdays }: UntilTerms): number | undefined {
  const fits = (date: string) => !onWeekdays || ![0, 6].includes(new Date(`${date}T00:00Z`).getUTCDay())
  const dateAfter = (days: number, from: number) =>
    formatInZone(from + days * dayMs, zone)?.slice(0, 10) ?? ''
  const nextFitting = (time: string, from: number) => {
    // A weekend is two days long, and the hour of the day may have passed.
    for (let days = 0; days < 5; days++) {
      const date = dateAfter(days, from)
      const moment = momentInZone(`${date}T${time.padStart(5, '0')}`, zone)
      if (moment !== undefined && moment >= from && fits(date)) return moment
    }
    return undefined
  }
  if (timeOfDay.test(text)) return nextFitting(text, now)
  const isLocal = local.test(text)
  const moment = isLocal ? momentInZone(wholeTime(text), zone) : Date.parse(text)
  if (moment === undefined || !(Math.abs(moment) < latest)) return undefined
  const at = formatInZone(moment, zone) ?? ''
  return fits(at.slice(0, 10)) ? moment : nextFitting(at.slice(11, 16), moment)
}

const wholeTime = (text: string) => (text.length === 10 ? `${text}T00:00` : text.replace(' ', 'T'))
