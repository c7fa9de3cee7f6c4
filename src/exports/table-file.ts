import { csvLines } from './csv.ts'
import { parquetFile } from './parquet-file.ts'
import type { Table, TableColumn, TableRow } from './table.ts'

const mediaTypes = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  parquet: 'application/vnd.apache.parquet',
} as const

export type TableFormat = keyof typeof mediaTypes

/** A file that is written as it is read. */
export interface ExportedFile {
  readonly mediaType: string
  /** Behind the dot of its name. */
  readonly extension: TableFormat
  readonly pieces: AsyncIterable<string | Uint8Array>
}

/** Writes a table as a file: NDJSON has an object for each row, without what there is not. */
export function tableFile(table: Table, format: TableFormat): ExportedFile {
  const writers = { ndjson: writeNdjson, csv: writeCsv, parquet: parquetFile }
  return { mediaType: mediaTypes[format], extension: format, pieces: writers[format](table) }
}

/** Objects of any shape, one a line. */
export function ndjsonFile(batches: AsyncIterable<readonly object[]>): ExportedFile {
  return { mediaType: mediaTypes.ndjson, extension: 'ndjson', pieces: writeLines(batches) }
}

async function* writeLines(batches: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  for await (const batch of batches) yield batch.map((object) => `${JSON.stringify(object)}\n`).join('')
}

const writeNdjson = (table: Table) => writeLines(objectsOf(table))

async function* objectsOf({ columns, rows }: Table): AsyncGenerator<readonly object[]> {
  for await (const batch of rows) yield batch.map((row) => objectOf(row, columns))
}

function objectOf(row: TableRow, columns: readonly TableColumn[]): object {
  const entries = columns.map(({ name, type }, index) => {
    const value = row[index]
    return [name, type === 'time' && value !== undefined ? timeText(value) : value]
  })
  return Object.fromEntries(entries)
}

async function* writeCsv({ columns, rows }: Table): AsyncGenerator<string> {
  yield csvLines([columns.map(({ name }) => name)], { isFirst: true })
  for await (const batch of rows)
    yield csvLines(batch.map((row) => columns.map(({ type }, index) => textOf(row[index], type))))
}

function textOf(value: unknown, type: TableColumn['type']): string {
  if (value === undefined) return ''
  if (type === 'time') return timeText(value)
  return type === 'json' ? JSON.stringify(value) : String(value)
}

const timeText = (value: unknown) => new Date(value as number).toISOString()
