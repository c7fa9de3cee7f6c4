import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../lib/errors.ts'
import { addressOf } from '../request/client-address.ts'

const minuteMs = 60_000

/** Addresses that are counted; the one that asked longest ago is forgotten first. A few MiB. */
const maxAddresses = 50_000

/**
 * Counts the requests of each address, on the routes of the scopes that `limitRates` is called for. An address may make `max`
 * of them in a minute, or any number where that is undefined.
 */
export async function countRates(app: FastifyInstance, max: number | undefined): Promise<void> {
  const tooMany = () =>
    new ServiceError(
      'TOO_MANY_REQUESTS',
      `Rate limit of ${max} requests a minute for one IP address exceeded`,
    )
  const unsent = { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false }
  await app.register(rateLimit, {
    global: false,
    max: max ?? Number.MAX_SAFE_INTEGER,
    timeWindow: minuteMs,
    cache: maxAddresses,
    keyGenerator: addressOf,
    errorResponseBuilder: tooMany,
    addHeaders: { ...unsent, 'retry-after': true },
    addHeadersOnExceeding: unsent,
  })
}

/**
 * Lets each address ask so many times a minute for the routes of such scopes, all of them together. An address that asks
 * too often is refused before the body is read.
 */
export function limitRates(scope: FastifyInstance): void {
  scope.addHook('onRequest', scope.rateLimit())
}
