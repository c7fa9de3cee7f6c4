/** Days up to now, everything, or days that somebody has chosen (`from` and `until` are days in UTC, both within). */
export type Period =
  | { readonly kind: 'latest'; readonly days: number }
  | { readonly kind: 'all' }
  | { readonly kind: 'own'; readonly from: string; readonly until: string }

/** A range of times; without an end it lasts until now. */
export interface Range {
  readonly from?: string
  readonly until?: string
}

const dayMs = 24 * 60 * 60 * 1000

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

/** The range of a period, and the one as long before it; none before what began with the first conversation. */
export function rangesOf(period: Period, now: number): { readonly range: Range; readonly before?: Range } {
  if (period.kind === 'all') return { range: {} }
  if (period.kind === 'own') {
    const from = Date.parse(period.from)
    const until = Date.parse(period.until) + dayMs
    const length = until - from
    return {
      range: { from: period.from, until: dayOf(until) },
      before: { from: dayOf(from - length), until: period.from },
    }
  }
  const from = Date.parse(dayOf(now - (period.days - 1) * dayMs))
  const shift = period.days * dayMs
  const until = new Date(now - shift).toISOString()
  return { range: { from: dayOf(from) }, before: { from: dayOf(from - shift), until } }
}

/** As it stands in the address. */
export function writePeriod(period: Period): string {
  if (period.kind === 'all') return 'all'
  return period.kind === 'own' ? `${period.from}..${period.until}` : String(period.days)
}

/** The period that an address names, else a month. */
export function readPeriod(text: string | null): Period {
  if (text === 'all') return { kind: 'all' }
  const [from = '', until = ''] = (text ?? '').split('..')
  if (isDay(from) && isDay(until) && from <= until) return { kind: 'own', from, until }
  const days = Number(text)
  return { kind: 'latest', days: Number.isInteger(days) && days > 0 && days <= 800 ? days : 30 }
}
