import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../lib/errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly tokenGuesses: TokenGuesses
  }
}

/** Limiter of wrong tokens, by address. */
interface TokenGuesses {
  /** Rejects with TOO_MANY_REQUESTS, before a token is compared, requests of an address after too many wrong tokens. */
  check(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Counts a wrong token, also against the requests of its address, and warns of the first and of the last in a minute. */
  count(request: FastifyRequest): Promise<void>
}

/**
 * Bounds the wrong tokens of an address in a minute by as many as the requests that it may make. The right token is then
 * refused as well, for the rest of the minute: else the answer would confirm a right guess.
 */
export function limitGuesses(app: FastifyInstance, max: number | undefined): void {
  const guesses = app.createRateLimit({ max: max ?? Number.MAX_SAFE_INTEGER })
  const requests = app.createRateLimit()
  app.decorate('tokenGuesses', {
    async check(request: FastifyRequest, reply: FastifyReply) {
      const state = await guesses(request, { increment: false })
      if (state.isAllowed || state.remaining > 0) return
      reply.header('retry-after', state.ttlInSeconds)
      throw new ServiceError(
        'TOO_MANY_REQUESTS',
        `Limit of ${max} wrong tokens a minute for one IP address exceeded`,
      )
    },
    async count(request: FastifyRequest) {
      await requests(request)
      const state = await guesses(request)
      if (state.isAllowed) return
      const facts = { requestId: request.id, route: request.routeOptions.url ?? 'unknown' }
      if (state.remaining === state.max - 1) request.log.warn(facts, 'a wrong token was sent')
      if (state.remaining === 0)
        request.log.warn(
          facts,
          'an address has sent as many wrong tokens as it may in a minute: its tokens are refused',
        )
    },
  })
}
