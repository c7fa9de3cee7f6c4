import { ServiceError } from '../../lib/errors.ts'

/**
 * The properties of a kind of record, in the order in which they are written. Stores hold very many records, so
 * their texts leave names out; what few records have stands last, where it takes nothing when it is absent.
 */
type Columns<T> = readonly (keyof T & string)[]

/** Takes an object, so that a property that is missing in it does not compile. */
export function columnNames<T>(columns: Record<keyof T & string, true>): Columns<T> {
  return Object.keys(columns) as (keyof T & string)[]
}

/** A record without its names, behind what the row begins with. */
export function toRow<T>(record: T, columns: Columns<T>, ...row: unknown[]): unknown[] {
  let filled = columns.length
  while (filled > 0 && record[columns[filled - 1] as keyof T] === undefined) filled -= 1
  for (let index = 0; index < filled; index++) row.push(record[columns[index] as keyof T])
  return row
}

/** The record again, from so many places on. JSON writes what is absent as null, so no column may hold null itself. */
export function fromRow<T>(row: readonly unknown[], columns: Columns<T>, before = 0): T {
  const record: Record<string, unknown> = {}
  for (let index = before; index < row.length; index++) {
    const value = row[index]
    if (value !== null) record[columns[index - before] as string] = value
  }
  return record as T
}

/**
 * Readers for the rows of each format that this build understands. A build reads the format before its own, so that
 * both may run during an update; a row of a later build is refused as something to be tried again elsewhere.
 */
export type Readers<T> = Readonly<Record<number, (row: readonly unknown[]) => T>>

/** Reads a row whose first element is the number of its format. */
export function readRow<T>(row: readonly unknown[], readers: Readers<T>): T {
  const read = readers[row[0] as number]
  if (read) return read(row)
  const formats = Object.keys(readers).join(' and ')
  throw new ServiceError(
    'SERVICE_UNAVAILABLE',
    `What is stored has format ${row[0]}, and this version of the service reads ${formats}`,
  )
}
