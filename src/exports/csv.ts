/** Spreadsheets know a file without it for one in an older encoding. */
const byteOrderMark = '\uFEFF'

/**
 * Beginnings that a spreadsheet may run, full-width forms included; some ignore leading blanks and invisible
 * characters.
 */
const runs = /^[\s\p{C}]*[=+\-@\t\r\n＝＋－＠]/u

/** Beginnings of cells where semicolons or tabs are taken for the separators: a quote behind one is read as an empty cell that goes on. */
const laterStarts = /([;\t\r\n][;"\s\p{C}]*)([=+\-@＝＋－＠]?)/gu

const plainNumber = /^[+-]?\d+(?:[.,]\d+)?(?:e[+-]?\d+)?$/i

/**
 * Writes a table (RFC 4180: commas, CRLF, quotes where needed) in UTF-8 with a byte order mark. What a spreadsheet would
 * run gets an apostrophe, whichever of comma, semicolon and tab it takes for the separator; plain numbers, which run
 * nothing, are left as they are.
 */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return csvLines(rows, { isFirst: true })
}

/** The same for a part of a table, of which the first alone has the byte order mark. */
export function csvLines(rows: readonly (readonly string[])[], { isFirst = false } = {}): string {
  const lines = rows.map((row) => `${row.map(cellOf).join(',')}\r\n`)
  return (isFirst ? byteOrderMark : '') + lines.join('')
}

function cellOf(text: string): string {
  const begun = runs.test(text) && !plainNumber.test(text) ? `'${text}` : text
  const harmless = begun.replace(laterStarts, (_, blanks, sign) => (sign ? `${blanks}'${sign}` : blanks))
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
