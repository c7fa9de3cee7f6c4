import { createHash, timingSafeEqual } from 'node:crypto'
import { ServiceError } from '../errors.ts'

/** What a preview may do: with the token of the operator it is trusted, without one it is a stranger's program. */
export type PreviewAccess = 'trusted' | 'open'

/** Tells what a preview may do; refuses one without the token where a token is set (docs/api.md 5). */
export function previewAccess(token: string | undefined, authorization: string | undefined): PreviewAccess {
  if (token === undefined) return 'open'
  const [, given] = /^bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
  if (given !== undefined && isSame(given, token)) return 'trusted'
  throw new ServiceError('UNAUTHORIZED', 'You must be authenticated to access this resource')
}

/** Compares in a time that tells nothing about where two texts differ, nor how long the right one is. */
function isSame(given: string, right: string): boolean {
  return timingSafeEqual(digest(given), digest(right))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
