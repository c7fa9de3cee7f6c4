import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../../errors.ts'

const minuteMs = 60_000

/** Addresses that are counted; the one that asked longest ago is forgotten first. A few MiB. */
const maxAddresses = 50_000

/**
 * Lets each address ask so many times a minute for the routes that are registered on `scope` afterwards, all of them
 * together. An address that asks too often is refused before the body is read. With
 * counts of Redis they are those of all processes; while that is away, requests are not counted.
 */
export async function limitRates(
  scope: FastifyInstance,
  max: number,
  sharedCounts?: object | undefined,
): Promise<void> {
  const tooMany = () => new ServiceError('TOO_MANY_REQUESTS', `An address may ask ${max} times a minute`)
  const unsent = { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false }
  await scope.register(rateLimit, {
    max,
    timeWindow: minuteMs,
    cache: maxAddresses,
    ...(sharedCounts && { redis: sharedCounts, nameSpace: 'rate:', skipOnError: true }),
    keyGenerator: addressOf,
    errorResponseBuilder: tooMany,
    addHeaders: { ...unsent, 'retry-after': true },
    addHeadersOnExceeding: unsent,
  })
}

/**
 * Of IPv6 the part that is one customer's (/64). What a proxy forwards need not be an address, and is never kept longer
 * than the longest of them.
 */
function addressOf({ ip }: FastifyRequest): string {
  return normalizeIP(ip.slice(0, 45))
}
