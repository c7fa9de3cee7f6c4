import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Logger, pino } from 'pino'

/** Sees every request once, when it has been answered: its route, method and status, and how long it took. */
export type RequestObserver = (request: FastifyRequest, reply: FastifyReply) => void

/** Shows all answers to an observer, save those that pass by the hooks. */
export function observeRequests(app: FastifyInstance, observe: RequestObserver): void {
  app.addHook('onResponse', (request, reply, done) => {
    observe(request, reply)
    done()
  })
}

const { symbols } = pino

/** What pino puts a line together from. */
type LineParts = Logger & {
  readonly [symbols.chindingsSym]: string
  readonly [symbols.timeSym]: () => string
  readonly [symbols.streamSym]: { write(line: string): void }
}

/**
 * Logs one line a request. It names the route, not the address, and holds nothing that the caller wrote but the
 * request id, which is fit for it: no body, no session, no authorization, no origin.
 *
 * The line is what `log.info` would write, put together without looking at each value first: nothing in it needs to be
 * escaped, and it is written for every request.
 */
export function createRequestLog(logger: Logger): RequestObserver {
  const log = logger as LineParts
  return (request, reply) => {
    if (!log.isLevelEnabled('info')) return
    const ms = Math.round(reply.elapsedTime * 1000) / 1000
    const route = request.routeOptions.url ?? 'unknown'
    log[symbols.streamSym].write(
      `{"level":30${log[symbols.timeSym]()}${log[symbols.chindingsSym]},"requestId":"${request.id}","method":"${request.method}",` +
        `"route":"${route}","status":${reply.statusCode},"ms":${ms},"msg":"request"}\n`,
    )
  }
}
