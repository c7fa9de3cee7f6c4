import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'

/**
 * Client's address as a key of counters. Of IPv6 the part of one customer (/64). The text that a proxy forwards need not
 * be an address, and is cut to the length of the longest one; '' for a client that is gone.
 */
export function addressOf({ ip }: { readonly ip: FastifyRequest['ip'] | undefined }): string {
  return normalizeIP((ip ?? '').slice(0, 45))
}

/** The origin of a request as flows judge it: their own page at `/f` is no other site. */
export function foreignOriginOf(request: FastifyRequest): string | undefined {
  const { origin } = request.headers
  if (origin === undefined || request.server.pageAccess.isOwnOrigin(request)) return undefined
  return origin
}
