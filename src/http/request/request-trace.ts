import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RequestTrace, TurnSummary } from '../../ports.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the turn of this request came to; undefined until one was run. */
    turnSummary: TurnSummary | undefined
  }
}

/** Lets every request of `app` remember its turn. */
export function traceTurns(app: FastifyInstance): void {
  app.decorateRequest('turnSummary', undefined)
}

/** Names a request to the turn that is run for it, and keeps what that came to for the line of the request. */
export function traceOf(request: FastifyRequest): RequestTrace {
  return {
    requestId: request.id,
    turnDone: (summary) => {
      request.turnSummary = summary
    },
  }
}
