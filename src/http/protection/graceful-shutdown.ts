import { setMaxListeners } from 'node:events'
import { Server as TcpServer } from 'node:net'
import { setTimeout as delay, setImmediate as nextPoll } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ServiceError } from '../../lib/errors.ts'
import type { Connections } from '../request/connection-tracker.ts'

/** Time for which an idle connection stays open for its next request once no other is accepted. */
const idleMs = 3_000

/** Interval of the checks whether connections are still in use. */
const checkMs = 50

/** Ends the service without dropping a request: announce, keep serving, then stop accepting, then close the server. */
export interface GracefulShutdown {
  /** Makes `/ready` refuse; everything is still served. */
  announce(): void
  /**
   * Accepts no more connections, and serves those that are open, each up to its next answer. Resolves once none is in
   * use and none was for three seconds; how long it may take altogether is up to the caller, who then closes the server.
   */
  stopAccepting(): Promise<void>
}

/** The same, for the hooks of the server. */
export interface ShutdownHooks extends GracefulShutdown {
  /** Reasons for which the service is not ready; empty as long as no shutdown was announced. */
  readonly problems: () => readonly string[]
  /** Aborted once no more connections are accepted: what waits for something to happen ends then. */
  readonly signal: AbortSignal
  /** To be called for every request. Why it is refused; undefined until the server itself closes. */
  refusalOf(reply: FastifyReply): ServiceError | undefined
  /** To be called for every response. */
  answered(): void
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly shutdown: GracefulShutdown
  }
}

const message = 'The service is shutting down'

type Phase = 'serving' | 'announced' | 'lingering' | 'closing'

/**
 * Clients that keep connections do not expect one to end between two requests: whichever sends just then is reset, and
 * can not know whether its request was executed. So connections end with an answer that says so, or long idle.
 */
export function createGracefulShutdown(app: FastifyInstance, connections: Connections): ShutdownHooks {
  let phase: Phase = 'serving'
  let lastAnswer = 0
  let isEnding = false
  const ending = new AbortController()
  // As many wait as there are connections.
  setMaxListeners(0, ending.signal)

  function enter(next: 'lingering' | 'closing'): void {
    phase = next
    isEnding = true
    lastAnswer = performance.now()
    for (const socket of connections.open) {
      const exchange = connections.exchangeOn(socket)
      if (exchange && !exchange.reply.sent) exchange.reply.header('connection', 'close')
    }
    ending.abort()
  }

  function isInUse(): boolean {
    if (connections.open.size === 0) return false
    if (performance.now() - lastAnswer < idleMs) return true
    for (const socket of connections.open) if (connections.exchangeOn(socket)) return true
    return false
  }

  app.addHook('preClose', async () => {
    enter('closing')
    for (const socket of connections.open) {
      // Browsers open connections ahead of need. Node counts those as busy until they have sent a request.
      if (socket.bytesRead === 0) socket.destroy()
    }
  })
  return {
    problems: () => (phase === 'serving' ? [] : [message]),
    signal: ending.signal,
    announce() {
      if (phase === 'serving') phase = 'announced'
    },
    async stopAccepting() {
      // Connections that are established already are accepted in the next poll.
      await nextPoll()
      enter('lingering')
      // The close of an HTTP server would end idle connections too.
      if (app.server.listening) TcpServer.prototype.close.call(app.server)
      do {
        await delay(checkMs)
        // A request may have arrived while the process was busy; it is read before this goes on.
        await nextPoll()
      } while (isInUse())
    },
    refusalOf(reply) {
      if (!isEnding) return undefined
      reply.header('connection', 'close')
      return phase === 'closing' ? new ServiceError('SERVICE_UNAVAILABLE', message) : undefined
    },
    answered() {
      if (!isEnding) return
      lastAnswer = performance.now()
      // An answer that was on its way when the closing began keeps its connection alive.
      if (phase === 'closing') setImmediate(() => app.server.closeIdleConnections())
    },
  }
}
