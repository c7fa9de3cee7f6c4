/** What a spreadsheet would take for a formula, or for a name of somebody, where values are read as if typed. */
const begins = /^\s*[=+\-@]/

const plainNumber = /^\s*[+-]?\d+(?:[.,]\d+)*%?\s*$/

/**
 * A value as it is written. Where values are read as if somebody had typed them, one that could be a formula is marked
 * as text: it may come from a visitor, and a formula can send the sheet anywhere.
 */
export function writtenValue(value: string, parsesValues: boolean): string {
  return parsesValues && begins.test(value) && !plainNumber.test(value) ? `'${value}` : value
}

/** How the vendor reads values that are written. */
export const inputOption = (parsesValues: boolean) => (parsesValues ? 'USER_ENTERED' : 'RAW')
