import { HttpClientError } from './http-client-error.ts'
import { type OutgoingHeaders, withoutContent, withoutSecrets } from './request-headers.ts'

/** One request on the way to a response. */
export interface Hop {
  readonly method: string
  readonly url: URL
  readonly headers: OutgoingHeaders
  readonly body: string | Uint8Array | undefined
}

/** One more is a failure. */
export const maxRedirects = 10

const redirects = new Set([301, 302, 303, 307, 308])

/** The request that a response sends on to; undefined when it is the end of the way. */
export function nextHop(hop: Hop, status: number, location: unknown): Hop | undefined {
  if (!redirects.has(status) || location === undefined) return undefined
  if (typeof location !== 'string' || !URL.canParse(location, hop.url.href)) {
    throw new HttpClientError('The redirect has no valid address')
  }
  const url = new URL(location, hop.url)
  const next = becomesGet(hop.method, status)
    ? { method: 'GET', url, headers: withoutContent(hop.headers), body: undefined }
    : { ...hop, url }
  return url.origin === hop.url.origin ? next : { ...next, headers: withoutSecrets(next.headers) }
}

function becomesGet(method: string, status: number): boolean {
  if (status === 303) return method !== 'GET' && method !== 'HEAD'
  return method === 'POST' && (status === 301 || status === 302)
}
