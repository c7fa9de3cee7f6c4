import type { FastifyRequest } from 'fastify'
import { authenticationRequired } from '../http/protection/auth.ts'
import { ServiceError } from '../lib/errors.ts'
import type { NamedToken } from '../ports/caller.ts'

/** Refuses pages of other sites, as if nothing were there, and whoever the pages are off for. */
export function refuseOtherSites(request: FastifyRequest): void {
  refuseUnless('on', request)
  // Other sites can read every answer.
  const isForeign = request.headers.origin !== undefined && !request.server.pageAccess.isOwnOrigin(request)
  if (isForeign) throw notFound()
}

/** A definition holds what its visitors never see: it is for authors, whom nothing but a token shows. */
export function refuseReaders(
  request: FastifyRequest,
  { previewToken, adminTokens }: { previewToken: string | undefined; adminTokens: readonly NamedToken[] },
): void {
  if (request.caller.kind !== 'anonymous' || request.server.pageAccess.isAuthor(request)) return
  if (previewToken !== undefined || adminTokens.length > 0)
    throw authenticationRequired('PREVIEW_TOKEN or ADMIN_TOKEN')
  throw new ServiceError(
    'FORBIDDEN',
    'Definitions are shown for a token: set PREVIEW_TOKEN, or open the address that a local service printed last',
  )
}

/** Refuses a request that pages are off for, as if nothing were there. */
export function refuseUnless(needed: 'visitor' | 'on', request: FastifyRequest): void {
  const allowed = request.server.pageAccess.pagesFor(request)
  if (allowed === 'on' || allowed === needed) return
  if (needed === 'on' && isForOtherAuthors(request)) {
    if (request.caller.kind !== 'anonymous') return
    throw new ServiceError('FORBIDDEN', 'Open the address that the service printed last')
  }
  throw notFound()
}

/** Whether the pages of authors are there, and not for this request. */
export function isForOtherAuthors(request: FastifyRequest): boolean {
  const { pageAccess } = request.server
  return pageAccess.token !== undefined && pageAccess.pagesFor(request) !== 'on'
}

/** The answer where no page is. */
export const notFound = () => new ServiceError('NOT_FOUND', 'Not found')
