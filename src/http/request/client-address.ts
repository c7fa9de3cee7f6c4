import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'

/**
 * Whose request it is, for what is counted by address. Of IPv6 the part that is one customer's (/64). What a proxy forwards
 * need not be an address, and is never kept longer than the longest of them.
 */
export function addressOf({ ip }: Pick<FastifyRequest, 'ip'>): string {
  return normalizeIP(ip.slice(0, 45))
}
