import type { Server } from '../http/types.ts'

/**
 * Takes the origin of the page that embeds an iframe for the origin of its requests, where the page in the iframe is one
 * that the operator trusts to send it.
 */
export function trustViewers(scope: Server, viewerOrigins: readonly string[]): void {
  if (viewerOrigins.length === 0) return
  const viewers = new Set(viewerOrigins)
  scope.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    const embedding = headers['x-typebot-iframe-referrer-origin']
    if (typeof embedding === 'string' && viewers.has(headers.origin ?? '')) headers.origin = embedding
    done()
  })
}
