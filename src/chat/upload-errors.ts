import { type ErrorCode, ServiceError } from '../errors.ts'

/** A file is larger than one may be; told as a mistake before it is sent, as too much when it comes. */
export function tooLarge(code: ErrorCode, maxBytes: number): ServiceError {
  return new ServiceError(code, `File size exceeds the ${megabytes(maxBytes)}MB limit`)
}

/** All files together take what they may. The cause tells the operator. */
export function noRoom(): ServiceError {
  const cause = new Error('Uploads take as much room as UPLOADS_MAX_BYTES gives them')
  return new ServiceError('SERVICE_UNAVAILABLE', 'There is no room for more files at the moment', { cause })
}

/** As clients count: a megabyte has 1,048,576 bytes. */
export function megabytes(bytes: number): number {
  return bytes / (1024 * 1024)
}
