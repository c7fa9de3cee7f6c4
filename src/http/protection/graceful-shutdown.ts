import { setMaxListeners } from 'node:events'
import { Server as TcpServer } from 'node:net'
import { setTimeout as delay, setImmediate as nextPoll } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ServiceError } from '../../lib/errors.ts'
import type { Connections } from './connections.ts'

/** Time for which an idle connection stays open for its next request once no other is accepted. */
const idleMs = 3_000

/** Interval of the checks whether connections are still in use. */
const checkMs = 50

declare module 'fastify' {
  interface FastifyInstance {
    readonly shutdown: GracefulShutdown
  }
}

const message = 'The service is shutting down'

/**
 * Ends the service without dropping a request: announce, keep serving, then stop accepting, then close the server.
 *
 * Clients that keep connections do not expect one to end between two requests: whichever sends just then is reset, and
 * can not know whether its request was executed. So connections end with an answer that says so, or long idle.
 */
export class GracefulShutdown {
  /** Whether connections end with their next answer: `refusalOf` and `answered` are then to be called. */
  isEnding = false
  readonly #app: FastifyInstance
  readonly #connections: Connections
  readonly #ending = new AbortController()
  #isAnnounced = false
  #isClosing = false
  #lastAnswer = 0

  constructor(app: FastifyInstance, connections: Connections) {
    this.#app = app
    this.#connections = connections
    // As many wait as there are connections.
    setMaxListeners(0, this.signal)
    app.addHook('preClose', async () => {
      this.#isClosing = true
      this.#end()
      for (const socket of connections.open) {
        // Browsers open connections ahead of need. Node counts those as busy until they have sent a request.
        if (socket.bytesRead === 0) socket.destroy()
      }
    })
  }

  /** Reasons for which the service is not ready; empty as long as no shutdown was announced. */
  readonly problems = (): readonly string[] => (this.#isAnnounced || this.isEnding ? [message] : [])

  /** Aborted once no more connections are accepted: what waits for something to happen ends then. */
  get signal(): AbortSignal {
    return this.#ending.signal
  }

  /** Makes `/ready` refuse; everything is still served. */
  announce(): void {
    this.#isAnnounced = true
  }

  /**
   * Accepts no more connections, and serves those that are open, each up to its next answer. Resolves once none is in
   * use and none was for three seconds; how long it may take altogether is up to the caller, who then closes the server.
   */
  async stopAccepting(): Promise<void> {
    // Connections that are established already are accepted in the next poll.
    await nextPoll()
    this.#end()
    const { server } = this.#app
    // The close of an HTTP server would end idle connections too.
    if (server.listening) TcpServer.prototype.close.call(server)
    do {
      await delay(checkMs)
      // A request may have arrived while the process was busy; it is read before this goes on.
      await nextPoll()
    } while (this.#isInUse())
  }

  /** Has the connection of a request end with its answer. Why it is refused; undefined until the server itself closes. */
  refusalOf(reply: FastifyReply): ServiceError | undefined {
    reply.header('connection', 'close')
    return this.#isClosing ? new ServiceError('SERVICE_UNAVAILABLE', message) : undefined
  }

  answered(): void {
    this.#lastAnswer = performance.now()
    // An answer that was on its way when the closing began keeps its connection alive.
    if (this.#isClosing) setImmediate(() => this.#app.server.closeIdleConnections())
  }

  #end(): void {
    this.isEnding = true
    this.#lastAnswer = performance.now()
    for (const socket of this.#connections.open) {
      const exchange = this.#connections.exchangeOn(socket)
      if (exchange && !exchange.reply.sent) exchange.reply.header('connection', 'close')
    }
    this.#ending.abort()
  }

  #isInUse(): boolean {
    const { open } = this.#connections
    if (open.size === 0) return false
    if (performance.now() - this.#lastAnswer < idleMs) return true
    for (const socket of open) if (this.#connections.exchangeOn(socket)) return true
    return false
  }
}
