/**
 * Start of a text that a spreadsheet reads as a formula, or as a mention of a person, if values are read as if typed.
 */
const begins = /^\s*[=+\-@]/

const plainNumber = /^\s*[+-]?\d+(?:[.,]\d+)*%?\s*$/

/**
 * A value as it is written. If values are read as if typed, one that could be a formula is marked as text: it may come
 * from a visitor, and a formula can send the sheet anywhere.
 */
export function writtenValue(value: string, parsesValues: boolean): string {
  return parsesValues && begins.test(value) && !plainNumber.test(value) ? `'${value}` : value
}

/** Option by which the vendor reads written values. */
export const inputOption = (parsesValues: boolean) => (parsesValues ? 'USER_ENTERED' : 'RAW')
