import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../lib/errors.ts'
import { addressOf } from '../request/request-source.ts'
import { type SharedCounts, SharedRates } from './shared-rates.ts'

const minuteMs = 60_000

/** Addresses that are counted; the one that asked longest ago is forgotten first. A few MiB. */
const maxAddresses = 50_000

interface RateLimits {
  /** Requests that one address may make in a minute; undefined for any number. */
  readonly max: number | undefined
  /** Counts of all processes; undefined where there is one. */
  readonly sharedCounts?: SharedCounts | undefined
}

/** Counts the requests of each address, on the routes of the scopes that `limitRates` is called for. */
export async function countRates(app: FastifyInstance, { max, sharedCounts }: RateLimits): Promise<void> {
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
    ...(sharedCounts && { store: storeOf(sharedCounts) }),
    keyGenerator: addressOf,
    errorResponseBuilder: tooMany,
    addHeaders: { ...unsent, 'retry-after': true },
    addHeadersOnExceeding: unsent,
  })
}

/** The limiter makes its store by itself. */
function storeOf(counts: SharedCounts) {
  return class extends SharedRates {
    constructor() {
      super(counts, maxAddresses)
    }
  }
}

/**
 * Lets each address ask so many times a minute for the routes of such scopes, all of them together. An address that asks
 * too often is refused before the body is read.
 */
export function limitRates(scope: FastifyInstance): void {
  scope.addHook('onRequest', scope.rateLimit())
}
