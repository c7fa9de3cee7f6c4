const whole = new Intl.NumberFormat()

export const inDigits = (count: number) => whole.format(count)

/** A share of a whole, in percent: with a digit behind the point where it is small. */
export function percent(count: number, of: number): string {
  if (of === 0) return '–'
  return share(count / of)
}

export function share(part: number): string {
  const percents = part * 100
  const digits = percents > 0 && percents < 9.95 ? 1 : 0
  return `${percents.toLocaleString(undefined, { minimumFractionDigits: digits, maximumFractionDigits: digits })} %`
}

export function duration(seconds: number | undefined): string {
  if (seconds === undefined) return '–'
  if (seconds < 60) return `${Math.round(seconds)} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`
  return `${Math.round(seconds / 86_400)} days`
}

/** A figure against the one before: in percent of that. */
export function change(now: number | undefined, before: number | undefined): string | undefined {
  if (now === undefined || before === undefined || before === 0) return undefined
  const percents = Math.round(((now - before) / before) * 100)
  if (percents === 0) return '± 0 %'
  return `${percents > 0 ? '+' : '−'}${inDigits(Math.abs(percents))} %`
}
