import { escapeToken } from '../lib/json-pointer.ts'

/** Limits on the structure of a JSON value. */
interface StructuralLimits {
  /** Lists and objects inside each other; the value itself is the first level. */
  readonly levels: number
  /** Values that lists and objects hold together. */
  readonly values: number
}

/** The limit that a value exceeds; for levels, with the first place that is too deep, as a JSON pointer. */
export type LimitViolation = { readonly of: 'levels'; readonly pointer: string } | { readonly of: 'values' }

/**
 * Finds what a value has too much of, whichever comes first.
 *
 * What works on a definition may recurse once this check has passed. Its own recursion ends at the last level
 * allowed.
 */
export function findLimitViolation(
  value: unknown,
  { levels, values }: StructuralLimits,
): LimitViolation | undefined {
  let left = values

  const tooDeep = (part: unknown, most: number): string | undefined => {
    if (typeof part !== 'object' || part === null) return undefined
    if (most === 0) return ''
    return Array.isArray(part) ? tooDeepInList(part, most - 1) : tooDeepInObject(part, most - 1)
  }

  const tooDeepInList = (list: readonly unknown[], most: number): string | undefined => {
    left -= list.length
    for (let index = 0; index < list.length && left >= 0; index++) {
      const rest = tooDeep(list[index], most)
      if (rest !== undefined) return `/${index}${rest}`
    }
    return undefined
  }

  const tooDeepInObject = (object: object, most: number): string | undefined => {
    // Every value of a definition is looked at here: `for in` makes no list of keys, which is four times as fast.
    for (const key in object) {
      left -= 1
      if (left < 0) return undefined
      const rest = tooDeep((object as Record<string, unknown>)[key], most)
      if (rest !== undefined) return `/${escapeToken(key)}${rest}`
    }
    return undefined
  }

  const pointer = tooDeep(value, levels)
  if (pointer !== undefined) return { of: 'levels', pointer }
  return left < 0 ? { of: 'values' } : undefined
}
