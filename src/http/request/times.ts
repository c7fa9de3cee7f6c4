import { invalidInput } from '../../lib/errors.ts'

/** Reads a day or a time of a query, in milliseconds since 1970. Throws BAD_REQUEST for a day that there is not. */
export function timeOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const time = Date.parse(text)
  if (!Number.isNaN(time) && isDay(text.slice(0, 10))) return time
  const problems = [{ pointer: `/${name}`, message: 'must be a day or a time that there is' }]
  throw invalidInput(problems)
}

/** Dates that there are not, as 31 February, are read as later ones. */
function isDay(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)
}
