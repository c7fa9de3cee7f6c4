import { type ErrorCode, ServiceError } from '../lib/errors.ts'
import type { SaveOutcome } from '../ports/uploaded-files-port.ts'

/** The refusal of an address for a file: in the words that clients match, and what else to send, at its place. */
export function notOffered(sentence: string, pointer: string, message: string): ServiceError {
  return new ServiceError('BAD_REQUEST', sentence, { problems: [{ pointer, message }] })
}

/** A file is said to be too large when its address is asked for. */
export const saidTooLarge = (maxBytes: number): ServiceError =>
  notOffered(sizeSentence(maxBytes), '/fileSize', `must be <= ${maxBytes}`)

const sizeSentence = (maxBytes: number) => `File size exceeds the ${megabytes(maxBytes)}MB limit`

/** A conversation has reached its quota: BAD_REQUEST when an address is asked for, PAYLOAD_TOO_LARGE when a file is sent. */
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
      return new ServiceError('PAYLOAD_TOO_LARGE', sizeSentence(maxBytes))
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
