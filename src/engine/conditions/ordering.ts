import type { ConditionScope } from '../model/scope.ts'
import type { Value } from '../values/value.ts'

/** Makes an operator that compares by size: lists by their length, texts by the number that they stand for. */
export function compareSizes(rule: (left: number, right: number) => boolean) {
  return (left: Value, right: Value, scope: ConditionScope): boolean => {
    if (left === null || right === null) return false
    scope.spend(1 + ((left.length + right.length) >> 4))
    const [leftSize, rightSize] = sizesOf(left, right)
    return rule(leftSize, rightSize)
  }
}

/** Comparison of two values by size: the kind, and the sizes. */
interface ComparedSizes {
  readonly by: 'numbers' | 'dates' | 'lengths' | 'different sizes'
  readonly sizes: readonly [number, number]
}

/** Describes a comparison by size; undefined where a side is empty, which is compared with nothing. */
export function describeSizes(left: Value, right: Value): ComparedSizes | undefined {
  if (left === null || right === null) return undefined
  const sizes = sizesOf(left, right)
  const kinds = new Set([kindOf(left, right), kindOf(right, left)])
  const [kind] = kinds
  return { by: kinds.size === 1 && kind ? kind : 'different sizes', sizes }
}

/** Kind of size by which a value is compared with another. */
function kindOf(value: NonNullValue, other: NonNullValue): 'numbers' | 'dates' | 'lengths' {
  if (typeof value !== 'string') return 'lengths'
  // The number of elements that a list is compared with.
  if (typeof other !== 'string' && !Number.isNaN(numberOf(value))) return 'lengths'
  if (year.test(value) && typeof other === 'string' && !Number.isNaN(momentOf(other))) return 'dates'
  if (!Number.isNaN(numberOf(value))) return 'numbers'
  return Number.isNaN(momentOf(value)) ? 'lengths' : 'dates'
}

type NonNullValue = Exclude<Value, null>

function sizesOf(left: NonNullValue, right: NonNullValue): readonly [number, number] {
  if (typeof left === 'string' && typeof right === 'string') return textSizes(left, right)
  if (typeof left === 'string') return [sizeOf(left), right.length]
  // A list has a length, which compares with nothing but a number.
  return [left.length, typeof right === 'string' ? numberOf(right) : right.length]
}

/** A year compares with a date as the first day of that year, and else as the number that it is. */
function textSizes(left: string, right: string): readonly [number, number] {
  const leftDate = momentOf(left)
  const rightDate = momentOf(right)
  if (!Number.isNaN(leftDate)) return [leftDate, year.test(right) ? Date.parse(right.trim()) : sizeOf(right)]
  if (!Number.isNaN(rightDate)) return [year.test(left) ? Date.parse(left.trim()) : sizeOf(left), rightDate]
  return [sizeOf(left), sizeOf(right)]
}

/** The number that a text stands for: itself, the milliseconds of a date, or how long it is. */
function sizeOf(text: string): number {
  const number = numberOf(text)
  if (!Number.isNaN(number)) return number
  const moment = momentOf(text)
  return Number.isNaN(moment) ? text.length : moment
}

const decimalComma = /^\s*-?\d+,\d+\s*$/

/** An empty text is zero; what starts with a plus is a phone number rather than a number. */
function numberOf(text: string): number {
  if (text.trimStart().startsWith('+')) return Number.NaN
  return Number(decimalComma.test(text) ? text.replace(',', '.') : text)
}

const year = /^\s*\d{4}\s*$/
const isoDate = /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|z|[+-]\d{2}:\d{2})?)?$/

/** The moment that an ISO date names, in milliseconds, in UTC unless it says a zone; else not a number. */
function momentOf(text: string): number {
  const [, date, time = '00:00', zone = 'Z'] = isoDate.exec(text.trim()) ?? []
  return date === undefined ? Number.NaN : Date.parse(`${date}T${time}${zone.toUpperCase()}`)
}
