import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Logger, pino } from 'pino'
import { sessionHash } from '../lib/session-hash.ts'
import type { Metrics } from '../ports/metrics-port.ts'
import {
  type NamedSession,
  nameOfPreviews,
  type OnFlow,
  type RequestLog,
  type TurnSummary,
} from '../ports/request-log-port.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Summary of the turn of this request; undefined until one was run. */
    turnSummary: TurnSummary | undefined
    /** The session, where the request ran no turn; undefined until it is known. */
    namedSession: NamedSession | undefined
  }
}

/** Lets every request of `app` remember its turn. */
export function rememberTurns(app: FastifyInstance): void {
  app.decorateRequest('turnSummary', undefined)
  app.decorateRequest('namedSession', undefined)
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

/** Keeps the names of the session that a request is about for its line in the log. */
export function flowNoter(request: FastifyRequest): OnFlow {
  return (named) => {
    request.namedSession = named
  }
}

/** A request that has been answered, as far as the log may name it. */
export interface AnsweredRequest {
  /** Fit for headers and logs. */
  readonly id: string
  readonly method: string
  /** The template of the address; `unknown` where there is no route. */
  readonly route: string
  readonly status: number
  readonly ms: number
  /** Summary of the request's turn; absent where none was run. */
  readonly turn?: TurnSummary | undefined
  /** The session of a request without a turn. */
  readonly session?: NamedSession | undefined
}

/** Sees every request once, when it has been answered. */
export type RequestObserver = (request: AnsweredRequest) => void

/** Summarises a request for the log. The framework puts the options of its route together whenever they are asked for. */
export function summariseRequest(request: FastifyRequest, reply: FastifyReply): AnsweredRequest {
  const { url: route = 'unknown' } = request.routeOptions
  const { id, method, turnSummary: turn, namedSession: session } = request
  return { id, method, route, status: reply.statusCode, ms: reply.elapsedTime, turn, session }
}

const { symbols } = pino

/** Parts from which pino builds a line. */
type LineParts = Logger & {
  readonly [symbols.chindingsSym]: string
  readonly [symbols.timeSym]: () => string
  readonly [symbols.streamSym]: { write(line: string): void }
}

/**
 * Logs one line a request, but none of a probe that was answered well. It names the route and the flow, not the address, and
 * holds nothing that the caller wrote but the request id, which is fit for it: no body, no authorization, no origin; and of the
 * session a hash.
 *
 * The line is what `log.info` would write, put together without looking at each value first: nothing in it but the name
 * of the flow needs to be escaped, and it is written for every request.
 */
export function createRequestLog(logger: Logger): RequestObserver {
  const log = logger as LineParts
  return ({ id, method, route, status, ms, turn, session }) => {
    if (!log.isLevelEnabled('info') || (probes.has(route) && status < 400)) return
    log[symbols.streamSym].write(
      `{"level":30${log[symbols.timeSym]()}${log[symbols.chindingsSym]},"requestId":"${id}","method":"${method}",` +
        `"route":"${route}","status":${status},"ms":${Math.round(ms * 1000) / 1000}${partOf(turn, session)},"msg":"request"}\n`,
    )
  }
}

/** Addresses that supervisors and balancers poll. */
const probes = new Set(['/health', '/ready'])

function partOf(turn: TurnSummary | undefined, session: NamedSession | undefined): string {
  const named = turn ?? session
  if (!named) return ''
  const names = `,"flow":${JSON.stringify(named.flow ?? nameOfPreviews)},"conversation":"${sessionHash(named.sessionId)}"`
  if (!turn) return names
  const { blocks, engineMs, hasErrorLogs } = turn
  return `${names},"blocks":${blocks},"engineMs":${Math.round(engineMs * 1000) / 1000},"hasErrorLogs":${hasErrorLogs}`
}

/** Methods that are counted separately where there is no route: the protocol has many more, and callers choose. */
const usualMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Counts the requests of each route; those that lead to none are counted as one route. */
export function createRequestObserver(requestAnswered: Metrics['requestAnswered']): RequestObserver {
  return ({ method, route, status, ms }) => {
    const isCountedApart = route !== 'unknown' || usualMethods.has(method)
    requestAnswered({ method: isCountedApart ? method : 'other', route, status, ms })
  }
}
