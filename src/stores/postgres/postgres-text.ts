/**
 * A value of a statement as PostgreSQL can hold it: without the character 0, which ids of flows may have, and whatever is asked for in
 * an address. JSON escapes that character.
 */
export function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value
  return Array.isArray(value) ? value.map(storableValue) : value
}

/** Value in a column of rows. */
export type Element = string | number | boolean | null | undefined

/** The text of an array: the driver makes several strings of each element. */
export const arrayText = (elements: readonly Element[]) => `{${elements.map(elementText).join()}}`

function elementText(element: Element): string | number | boolean {
  if (element === null || element === undefined) return 'NULL'
  if (typeof element !== 'string' || plain.test(element)) return element
  return `"${element.replace(special, '\\$&')}"`
}

/** Ids, names and times, as most are. */
const plain = /^(?!null$)[\w.:-]+$/i

const special = /["\\]/g

const separator = 1

/**
 * Texts of JSON, or undefined, as one parameter. JSON has no control characters but the line breaks around it, so nothing is
 * escaped; as an array, each of its many quotes would be.
 */
export const joinJson = (texts: readonly (string | undefined)[]) => texts.join(String.fromCharCode(separator))

/** The texts that `joinJson` has joined, as an array of their own, which may end before those that are undefined. */
export const joinedJson = (parameter: number) => `string_to_array($${parameter}::text, chr(${separator}), '')`
