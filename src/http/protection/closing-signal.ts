import { setMaxListeners } from 'node:events'
import type { FastifyInstance } from 'fastify'

/** Aborted once the server begins to close: what waits for something to happen ends then. */
export function createClosingSignal(app: FastifyInstance): AbortSignal {
  const controller = new AbortController()
  // As many wait as there are connections.
  setMaxListeners(0, controller.signal)
  app.addHook('preClose', async () => controller.abort())
  return controller.signal
}
