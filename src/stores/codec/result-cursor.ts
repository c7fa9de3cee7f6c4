import { ServiceError } from '../../lib/errors.ts'

/** The place behind the result of a number, as clients hand it back. */
export function writeCursor(number: number): string {
  return Buffer.from(`before ${number}`).toString('base64url')
}

/** Throws BAD_REQUEST for what `writeCursor` has not written. */
export function readCursor(cursor: string): number {
  const [, digits] = /^before ([1-9]\d{0,14})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (digits !== undefined) return Number(digits)
  const message = 'This is not a cursor that a page of results gave'
  throw new ServiceError('BAD_REQUEST', message, { problems: [{ pointer: '/cursor', message }] })
}
