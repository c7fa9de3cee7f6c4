import { createHash, timingSafeEqual } from 'node:crypto'
import { ServiceError } from '../errors.ts'

/** Lets pass whoever brings the token in an `Authorization` header; throws UNAUTHORIZED for anybody else. */
export function requireBearer(token: string, authorization: string | undefined): void {
  const [, given] = /^bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
  if (given !== undefined && isSame(given, token)) return
  throw new ServiceError('UNAUTHORIZED', 'You must be authenticated to access this resource')
}

/** Lets the operator pass. Throws FORBIDDEN where no token is set, as nobody may do then what needs it. */
export function requireAdmin(token: string | undefined, authorization: string | undefined): void {
  if (token === undefined) {
    throw new ServiceError('FORBIDDEN', 'This is turned off: the service was started without an ADMIN_TOKEN')
  }
  requireBearer(token, authorization)
}

/** Compares in a time that tells nothing about where two texts differ, nor how long the right one is. */
function isSame(given: string, right: string): boolean {
  return timingSafeEqual(digest(given), digest(right))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
