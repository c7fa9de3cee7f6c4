import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'

/**
 * Client's address as a key of counters. Of IPv6 the part of one customer (/64). The text that a proxy forwards need not
 * be an address, and is cut to the length of the longest one.
 */
export function addressOf({ ip }: Pick<FastifyRequest, 'ip'>): string {
  return normalizeIP(ip.slice(0, 45))
}
