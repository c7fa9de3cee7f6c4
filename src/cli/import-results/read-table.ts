import { hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type CsvError, parse } from 'csv-parse'
import type { ResultImportBody } from '../../../schemas/result-import.ts'
import { readMoment, type TimeTerms } from './read-moment.ts'

/** A row that is ready to be sent. */
export interface ImportRow {
  /** As spreadsheets number it: the headers are 1. */
  readonly number: number
  readonly sent: ResultImportBody['rows'][0]
}

/** A row that can't be, and why. */
export interface RefusedRow {
  readonly row: number
  readonly column?: string
  readonly message: string
}

/** A table of results: its columns beside that of dates, then its rows. */
export interface ResultTable {
  readonly columns: readonly string[]
  readonly rows: AsyncIterable<ImportRow | RefusedRow>
}

const dateColumn = 'Submitted at'

/** Characters of a row. */
const maxRow = 1024 * 1024

/** The mark that tables put before a cell that a spreadsheet would run. */
const guarded = /^'(?=[=+\-@\t\r])/

/**
 * Opens a table that another editor has exported, row by row: it may be of any size. Throws for a file that is none, in words.
 */
export async function openTable(file: string, terms: TimeTerms): Promise<ResultTable> {
  const records = recordsOf(file)
  const { value: headers } = await records.next()
  const plain = (headers ?? []).map((header: string) => header.replace(guarded, '').trim())
  const at = plain.findIndex((header: string) => header.toLowerCase() === dateColumn.toLowerCase())
  if (at === -1) throw new Error(`row 1 names no column "${dateColumn}": columns are separated by commas`)
  const columns = plain.filter((_: string, index: number) => index !== at)
  if (columns.length === 0) throw new Error(`row 1 names no column beside "${dateColumn}"`)
  return { columns, rows: rowsOf(records, { at, columns, terms }) }
}

interface Layout {
  /** Place of the dates. */
  readonly at: number
  readonly columns: readonly string[]
  readonly terms: TimeTerms
}

async function* rowsOf(
  records: AsyncIterable<string[]>,
  { at, columns, terms }: Layout,
): AsyncGenerator<ImportRow | RefusedRow> {
  const nth = countNeighbours()
  let number = 1
  for await (const record of records) {
    number += 1
    const width = columns.length + 1
    if (record.length !== width) {
      yield { row: number, message: `has ${record.length} cells where the headers are ${width}` }
      continue
    }
    const date = record[at] as string
    const begun = readMoment(date, terms)
    if (begun === undefined || begun > Date.now()) {
      const message = `${JSON.stringify(date)} is no date in the past: write it as 2026-11-21T09:17:00Z`
      yield { row: number, column: dateColumn, message }
      continue
    }
    const cells = record.filter((_, index) => index !== at).map((cell) => cell.replace(guarded, ''))
    const createdAt = new Date(begun).toISOString()
    yield { number, sent: { key: nth(createdAt, keyOf(createdAt, columns, cells)), createdAt, cells } }
  }
}

/** The same whichever columns stand in the file beside those that hold something, and in whatever order. */
function keyOf(createdAt: string, columns: readonly string[], cells: readonly string[]): string {
  const held = cells.flatMap((cell, index) => (cell === '' ? [] : [`${columns[index]}\n${cell}`]))
  return hash('sha256', JSON.stringify([createdAt, ...held.sort()]), 'base64url')
}

/** Tells rows apart that are the same in everything: tables are in the order of their dates, to the minute. */
function countNeighbours(): (createdAt: string, key: string) => string {
  let counts = new Map<string, number>()
  let present: string | undefined
  return (createdAt, key) => {
    if (createdAt !== present) counts = new Map()
    present = createdAt
    const count = counts.get(key) ?? 0
    counts.set(key, count + 1)
    return count === 0 ? key : `${key} ${count}`
  }
}

async function* recordsOf(file: string): AsyncGenerator<string[]> {
  const source = createReadStream(file)
  const parser = parse({
    bom: true,
    // Editors that write page by page end rows in both ways.
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxRow,
  })
  source.on('error', (error) => parser.destroy(error))
  try {
    yield* source.pipe(parser)
  } catch (error) {
    const { code = '', lines } = error as Partial<CsvError> & { readonly lines?: number }
    throw lines === undefined ? error : new Error(`line ${lines} is no CSV: ${reasons[code] ?? code}`)
  } finally {
    source.destroy()
  }
}

const reasons: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote that was opened before is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'a quote within quotes is not doubled',
  INVALID_OPENING_QUOTE: 'a quote stands within a cell that has none around it',
  CSV_MAX_RECORD_SIZE: `a row is longer than ${maxRow} characters`,
}
