import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { OnFlow, RequestLog, TurnSummary } from '../../ports/request-log-port.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Summary of the turn of this request; undefined until one was run. */
    turnSummary: TurnSummary | undefined
    /** The flow's name in the log, where the request ran no turn; undefined until it is known. */
    flowName: string | undefined
  }
}

/** Lets every request of `app` remember its turn. */
export function rememberTurns(app: FastifyInstance): void {
  app.decorateRequest('turnSummary', undefined)
  app.decorateRequest('flowName', undefined)
}

/** Names a request to the turn that is run for it, and keeps what that came to for the line of the request. */
export function requestLogOf(request: FastifyRequest): RequestLog {
  return {
    requestId: request.id,
    span: request.span,
    turnDone: (summary) => {
      request.turnSummary = summary
    },
  }
}

/** Keeps the name of the flow that a request is about for its line in the log. */
export function flowNoter(request: FastifyRequest): OnFlow {
  return (flow) => {
    request.flowName = flow
  }
}
