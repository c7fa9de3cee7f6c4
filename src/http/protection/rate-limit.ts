import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../lib/errors.ts'
import { addressOf } from '../request/client-address.ts'

const minuteMs = 60_000

/** Addresses that are counted; the one that asked longest ago is forgotten first. A few MiB. */
const maxAddresses = 50_000

/** Store of counts that the processes of a service share: the limiter defines what it runs there by name. */
export interface SharedCounts {
  [command: string]: unknown
  defineCommand(name: string, definition: object): void
}

interface RateLimits {
  /** Requests that one address may make in a minute; undefined for any number. */
  readonly max: number | undefined
  /** Counts of Redis, which are those of all processes; while that is away, requests are not counted. */
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
    ...(sharedCounts && { redis: nameCounts(sharedCounts), nameSpace: 'rate:', skipOnError: true }),
    keyGenerator: addressOf,
    errorResponseBuilder: tooMany,
    addHeaders: { ...unsent, 'retry-after': true },
    addHeadersOnExceeding: unsent,
  })
}

/** Names the counts of wrong tokens, which the limiter takes for those of a route without a method and a path. */
function nameCounts(counts: SharedCounts): SharedCounts {
  type Command = (key: string, ...rest: unknown[]) => unknown
  const named: SharedCounts = {
    defineCommand(name, definition) {
      counts.defineCommand(name, definition)
      named[name] = (key: string, ...rest: unknown[]) =>
        (counts[name] as Command)(key.replace('undefinedundefined-', 'wrong-tokens:'), ...rest)
    },
  }
  return named
}

/**
 * Lets each address ask so many times a minute for the routes of such scopes, all of them together. An address that asks
 * too often is refused before the body is read.
 */
export function limitRates(scope: FastifyInstance): void {
  scope.addHook('onRequest', scope.rateLimit())
}
