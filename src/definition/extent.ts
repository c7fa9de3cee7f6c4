/** Whether lists and objects hold more than `most` values together. What works on a definition takes time for each. */
export function holdsMoreThan(value: object, most: number): boolean {
  const waiting: object[] = [value]
  let values = 0
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const key in next) {
      values += 1
      if (values > most) return true
      const child = (next as Record<string, unknown>)[key]
      if (typeof child === 'object' && child !== null) waiting.push(child)
    }
  }
  return false
}

/**
 * Finds the first place at which lists and objects lie more than `most` levels deep, as a JSON pointer; undefined
 * when there is none. The value itself is the first level.
 *
 * What works on a definition may recurse once this check has passed. Its own recursion ends at the last level
 * allowed.
 */
export function tooDeep(value: unknown, most: number): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (most === 0) return ''
  return Array.isArray(value) ? tooDeepInList(value, most - 1) : tooDeepInObject(value, most - 1)
}

function tooDeepInList(list: readonly unknown[], most: number): string | undefined {
  for (let index = 0; index < list.length; index++) {
    const rest = tooDeep(list[index], most)
    if (rest !== undefined) return `/${index}${rest}`
  }
  return undefined
}

function tooDeepInObject(object: object, most: number): string | undefined {
  // Every value of a definition is looked at here: `for in` makes no list of keys, which is four times as fast.
  for (const key in object) {
    const rest = tooDeep((object as Record<string, unknown>)[key], most)
    if (rest !== undefined) return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}${rest}`
  }
  return undefined
}
