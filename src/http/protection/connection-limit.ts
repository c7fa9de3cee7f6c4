import type { FastifyInstance } from 'fastify'
import type { StoreUsage } from '../../ports/known-types.ts'
import type { Connections } from '../request/connection-tracker.ts'

/** What a connection takes at most: its head, and a body that is short enough to be let in at any time. */
export const connectionBytes = 32 * 1024

/** The share of the connections above which those that wait for a next request give way to new ones. */
const crowded = 0.9

/** How often they give way at most: each time, all of them are looked through. */
const pauseMs = 1_000

/**
 * Bounds the connections that are open at once; beyond it new ones are closed before anything is read. Returns how many
 * there are.
 */
export function limitConnections(app: FastifyInstance, { open }: Connections, max: number): () => StoreUsage {
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
  let dropped = 0
  app.server.on('drop', () => {
    dropped += 1
  })
  return () => ({ entries: open.size, bytes: open.size * connectionBytes, evicted: dropped })
}
