import type { Value } from './value.ts'

/** Value of a variable for code. */
export type InferredValue = string | number | boolean | null | undefined | readonly (string | null)[]

const words = new Map<string, boolean | null | undefined>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
])

/** No number prints as a longer text. */
const longestNumber = 25

/**
 * Reads a value as the type it looks like (docs/behaviour/variables.md, "Reading a value"). Text becomes a number only when
 * the number prints back as the same text, so that long ids, `007` and `1.10` survive.
 */
export function inferValue(value: Value): InferredValue {
  if (typeof value !== 'string') return value
  if (words.has(value)) return words.get(value)
  if (value.length > longestNumber) return value
  const number = Number(value)
  return String(number) === value && !Number.isNaN(number) ? number : value
}
