/** Value of a variable: text, a list of texts, or nothing. Numbers, booleans and objects are text. */
export type Value = string | readonly (string | null)[] | null

/**
 * Brings anything into the shape of a variable's value (docs/behaviour/variables.md, "Writing a variable").
 * Never throws: what has no JSON becomes null. Of a list, no more is read than goes beyond `length` characters.
 */
export function toValue(raw: unknown, length = Number.POSITIVE_INFINITY): Value {
  if (!Array.isArray(raw)) return toText(raw)
  const texts: (string | null)[] = []
  let left = length
  for (const element of raw) {
    if (left < 0) break
    const text = toText(element)
    texts.push(text)
    left -= (text?.length ?? 0) + 1
  }
  return texts
}

/** As `toValue`, for what a flow declares: empty texts stay there what they are, and are no value once written. */
export function toDeclaredValue(raw: unknown): Value {
  if (raw === '') return raw
  return Array.isArray(raw)
    ? raw.map((element) => (element === '' ? element : toText(element)))
    : toValue(raw)
}

function toText(raw: unknown): string | null {
  if (raw === undefined || raw === null || raw === '') return null
  if (typeof raw === 'string') return raw.toWellFormed()
  if (typeof raw === 'number') return Number.isFinite(raw) ? String(raw === 0 ? 0 : raw) : null
  try {
    const text = JSON.stringify(raw)
    // A date that is none.
    return text === undefined || text === 'null' ? null : text
  } catch {
    return null
  }
}

/** A value as it reads in a text: nothing is empty, a list is its JSON. */
export function valueToText(value: Value | undefined): string {
  if (typeof value === 'string') return value
  return value ? JSON.stringify(value) : ''
}

/** Whether a value says something: a text or a list that is not empty. */
export function isFilled(value: Value | undefined): value is Exclude<Value, null> {
  return value !== undefined && value !== null && value.length > 0
}

/** Whether a variable with this value is one that holds something. An empty list does, a declared empty text does not. */
export function isHeld(value: Value | undefined): value is Exclude<Value, null> {
  return value !== undefined && value !== null && value !== ''
}

/** Length of a value in characters; each element of a list adds one more. */
export function valueLength(value: Value): number {
  if (typeof value === 'string') return value.length
  return value?.reduce((length, element) => length + (element?.length ?? 0) + 1, 0) ?? 0
}
