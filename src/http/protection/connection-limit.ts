import type { FastifyInstance } from 'fastify'
import type { Connections } from '../request/connection-tracker.ts'

/** The share of the connections above which those that wait for a next request give way to new ones. */
const crowded = 0.9

/** How often they give way at most: each time, all of them are looked through. */
const pauseMs = 1_000

/** Bounds the connections that are open at once; beyond it new ones are closed before anything is read. */
export function limitConnections(app: FastifyInstance, { open }: Connections, max: number): void {
  app.server.maxConnections = max
  let hasMadeRoom = false
  app.server.on('connection', () => {
    if (hasMadeRoom || open.size <= max * crowded) return
    hasMadeRoom = true
    app.server.closeIdleConnections()
    setTimeout(() => {
      hasMadeRoom = false
    }, pauseMs).unref()
  })
}
