/** Spreadsheets know a file without it for one in an older encoding. */
const byteOrderMark = '\uFEFF'

/** What a spreadsheet may run, full-width forms included; some look past blanks and what can't be seen. */
const runs = /^[\s\p{C}]*[=+\-@\t\r\n＝＋－＠]/u

const plainNumber = /^[+-]?\d+(?:[.,]\d+)?(?:e[+-]?\d+)?$/i

/**
 * Writes a table (RFC 4180: commas, CRLF, quotes where needed) in UTF-8 with a byte order mark. A cell that a
 * spreadsheet would run begins with an apostrophe; plain numbers, which run nothing, are left as they are.
 */
export function toCsv(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((row) => `${row.map(cellOf).join(',')}\r\n`)
  return byteOrderMark + lines.join('')
}

function cellOf(text: string): string {
  const harmless = runs.test(text) && !plainNumber.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
