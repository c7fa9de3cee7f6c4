import { ServiceError } from '../../lib/errors.ts'

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
