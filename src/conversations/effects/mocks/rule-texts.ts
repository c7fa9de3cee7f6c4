import { fitsPieces } from '../../../engine/values/fits-pieces.ts'

/** Whether a text is as a pattern says, in which `*` stands for any characters. */
export function fitsPattern(pattern: string, text: string): boolean {
  return fitsPieces(pattern.split(/\*+/), text)
}

const anything = '{{any}}'

/** Whether JSON holds what is wanted: an object may hold more, a list is as long. */
export function holdsJson(wanted: unknown, given: unknown): boolean {
  if (wanted === anything) return given !== undefined
  if (typeof wanted !== 'object' || wanted === null) return wanted === given
  if (typeof given !== 'object' || given === null) return false
  if (Array.isArray(wanted)) {
    if (!Array.isArray(given) || given.length !== wanted.length) return false
    return wanted.every((element, index) => holdsJson(element, given[index]))
  }
  return Object.entries(wanted).every(
    ([name, part]) => Object.hasOwn(given, name) && holdsJson(part, (given as Record<string, unknown>)[name]),
  )
}

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Milliseconds of a text like `200ms`, `90s` or `2h`. */
export function durationOf(text: string): number {
  const [, count = '0', unit = 'ms'] = /^(\d+)(\D+)$/.exec(text) ?? []
  return Number(count) * units[unit as keyof typeof units]
}
