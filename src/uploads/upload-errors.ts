import { type ErrorCode, ServiceError } from '../lib/errors.ts'
import type { SaveOutcome } from '../ports/uploaded-files-port.ts'

/** A file is too large: BAD_REQUEST when its address is asked for, PAYLOAD_TOO_LARGE when it is sent. */
export function tooLarge(code: ErrorCode, maxBytes: number): ServiceError {
  return new ServiceError(code, `File size exceeds the ${megabytes(maxBytes)}MB limit`)
}

/** A conversation has reached its quota; with the same two codes. */
export function tooMuch(code: ErrorCode): ServiceError {
  return new ServiceError(code, 'This conversation has uploaded as much as it may')
}

/** The disk is full. The cause is for the operator. */
export function noRoom(reason: string): ServiceError {
  const message = 'There is no room for more files at the moment'
  return new ServiceError('SERVICE_UNAVAILABLE', message, { cause: new Error(reason) })
}

/** Message where the bound on uploads is reached before the disk is full. */
export const allUsed = 'Uploads take as much room as UPLOADS_MAX_BYTES gives them'

/** The error for a client whose file was not kept. */
export function toUploadError(outcome: Exclude<SaveOutcome, 'saved'>, maxBytes: number): ServiceError {
  switch (outcome) {
    case 'exists':
      return new ServiceError('CONFLICT', 'The upload address has been used: ask for a new one')
    case 'too large':
      return tooLarge('PAYLOAD_TOO_LARGE', maxBytes)
    case 'owner full':
      return tooMuch('PAYLOAD_TOO_LARGE')
    case 'full':
      return noRoom(allUsed)
    case 'disk full':
      return noRoom('The disk for uploads is full: that of UPLOADS_DIR, else of temporary files')
    case 'erased':
      return new ServiceError('FORBIDDEN', 'The upload address is not valid any more: ask for a new one')
  }
}

/** As clients count: a megabyte has 1,048,576 bytes. */
export function megabytes(bytes: number): number {
  return bytes / (1024 * 1024)
}
