import type { Dispatcher } from 'undici'
import type { OutgoingContent } from '../../ports/http-client-port.ts'
import type { OutgoingRequest } from '../../ports/known-types.ts'
import type { Deadline } from './deadline.ts'
import { type FindAddresses, isBlockedPort } from './egress/destination-policy.ts'
import { createPinnedAgent, type PinnedAgent, portOf } from './egress/pinned-agent.ts'
import { BlockedDestinationError, HttpClientError } from './http-client-error.ts'
import {
  checkHeaders,
  type OutgoingHeaders,
  readHeaders,
  toRawHeaders,
  withoutContent,
  withoutSecrets,
} from './request-headers.ts'

/** A request and all redirects that follow from it. */
export interface RequestChain {
  readonly method: string
  /** Sends the request and follows its redirects, anew with every call. The body of the response is not read yet. */
  go(): Promise<Dispatcher.ResponseData>
}

interface RequestTerms {
  readonly isTrusted: boolean
  readonly isDirect?: boolean
  readonly content?: OutgoingContent | undefined
}

/** Connections of requests that a flow addressed and of those that the operator did never serve one another. */
export function createRequestChains(guarded: FindAddresses, unguarded: FindAddresses) {
  const guardedAgent = createPinnedAgent(guarded)
  const trustedAgent = createPinnedAgent(unguarded)
  return {
    /** Checks a request without sending anything. Rejects with a `BlockedDestinationError` where flows may not go. */
    async prepare(
      request: OutgoingRequest,
      deadline: Deadline,
      { isTrusted, isDirect = false, content }: RequestTerms,
    ): Promise<RequestChain> {
      const url = readUrl(request.url)
      // A server that the operator trusts must not redirect to where a flow may not go.
      const isFree = (target: URL) => isTrusted && target.origin === url.origin
      const check = (target: URL) => checkTarget(target, isFree(target) ? undefined : guarded, deadline)
      const agentOf = (target: URL) => (isFree(target) ? trustedAgent : guardedAgent)
      if (!isTrusted) checkHeaders(request.headers)
      await check(url)
      const first = firstHop(request, url, content)
      return { method: first.method, go: () => follow(first, { check, agentOf, deadline, isDirect }) }
    },
    async close(): Promise<void> {
      await Promise.all([guardedAgent.destroy(), trustedAgent.destroy()])
    },
  }
}

function readUrl(text: string): URL {
  if (!URL.canParse(text))
    throw new BlockedDestinationError(text.trim() === '' ? 'There is no address' : 'The address is not valid')
  return new URL(text)
}

const withoutBody = new Set(['GET', 'HEAD'])
const neverSent = new Set(['CONNECT', 'TRACE', 'TRACK'])

function firstHop(
  { method: given, headers, body, bytes }: OutgoingRequest,
  url: URL,
  content: OutgoingContent | undefined,
): Hop {
  const method = given.toUpperCase()
  if (neverSent.has(method) || !/^[A-Z]+$/.test(method)) {
    throw new HttpClientError('A request with this method cannot be sent')
  }
  return {
    method,
    url,
    headers: readHeaders(headers),
    body: withoutBody.has(method) ? undefined : (content ?? bytes ?? body),
  }
}

/** The destination first: a forbidden one is refused before any other error is reported. */
async function checkTarget(url: URL, find: FindAddresses | undefined, deadline: Deadline): Promise<void> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new BlockedDestinationError('The address is neither http nor https')
  }
  if (find) {
    await deadline.within(find(url.hostname, portOf(url)))
    if (isBlockedPort(portOf(url))) throw new HttpClientError('The port is one that browsers never use')
  }
  if (url.username !== '' || url.password !== '') {
    throw new HttpClientError('The address holds a user name or a password')
  }
}

interface Companions {
  readonly deadline: Deadline
  check(url: URL): Promise<void>
  agentOf(url: URL): PinnedAgent
  readonly isDirect: boolean
}

async function follow(
  first: Hop,
  { check, agentOf, deadline, isDirect }: Companions,
): Promise<Dispatcher.ResponseData> {
  let hop = first
  for (let redirects = 0; ; redirects++) {
    const response = await send(hop, agentOf(hop.url), deadline)
    const next = isDirect ? undefined : nextHop(hop, response.statusCode, response.headers['location'])
    if (!next) return response
    if (redirects === maxRedirects) throw new HttpClientError('There are too many redirects')
    // Lets the connection serve the next one; the end of the request ends this, too.
    response.body.dump().catch(() => {})
    await check(next.url).catch((error: unknown) => {
      throw error instanceof BlockedDestinationError
        ? new HttpClientError(`The redirect is refused: ${error.message}`)
        : error
    })
    hop = next
  }
}

/** The library hears of an aborted request only when the connection stands, which may be too late. */
function send({ method, url, headers, body }: Hop, agent: PinnedAgent, deadline: Deadline) {
  const isRead = isContent(body)
  const length = isRead ? ['content-length', String(body.bytes)] : []
  const response = agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    headers: [...toRawHeaders(headers), ...length],
    body: isRead ? body.open() : (body ?? null),
    signal: deadline.signal,
  })
  return deadline.within(response)
}

/** One request on the way to a response. */
interface Hop {
  readonly method: string
  readonly url: URL
  readonly headers: OutgoingHeaders
  readonly body: string | Uint8Array | OutgoingContent | undefined
}

function isContent(body: Hop['body']): body is OutgoingContent {
  return typeof body === 'object' && 'open' in body
}

/** One more is a failure. */
const maxRedirects = 10

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
