import type { Dispatcher } from 'undici'
import type { OutgoingRequest } from '../../ports.ts'
import type { Deadline } from './deadline.ts'
import { isBannedPort } from './egress/blocked-ports.ts'
import type { FindAddresses } from './egress/destination-policy.ts'
import { type ConnectingAgent, createConnectingAgent, portOf } from './egress/pinned-agent.ts'
import { Refusal, RequestFailure } from './http-client-error.ts'
import { type Hop, maxRedirects, nextHop } from './redirects.ts'
import { readHeaders, refuseHeaders, wireHeaders } from './request-headers.ts'

/** A request and all redirects that follow from it. */
export interface Journey {
  readonly method: string
  /** Makes the journey, once more with every call. The body of the response is not read yet. */
  go(): Promise<Dispatcher.ResponseData>
}

export interface Journeys {
  /** Checks a request without sending anything. Rejects with a `Refusal` when flows may not go there. */
  prepare(request: OutgoingRequest, deadline: Deadline, isTrusted: boolean): Promise<Journey>
  close(): Promise<void>
}

/** Connections of requests that a flow addressed and of those that the operator did never serve one another. */
export function createJourneys(guarded: FindAddresses, unguarded: FindAddresses): Journeys {
  const guardedAgent = createConnectingAgent(guarded)
  const trustedAgent = createConnectingAgent(unguarded)
  return {
    async prepare(request, deadline, isTrusted) {
      const url = readUrl(request.url)
      // Whoever answers for the operator may not send us anywhere that a flow could not.
      const isFree = (target: URL) => isTrusted && target.origin === url.origin
      const check = (target: URL) => checkTarget(target, isFree(target) ? undefined : guarded, deadline)
      const agentOf = (target: URL) => (isFree(target) ? trustedAgent : guardedAgent)
      if (!isTrusted) refuseHeaders(request.headers)
      await check(url)
      const first = firstHop(request, url)
      return { method: first.method, go: () => follow(first, { check, agentOf, deadline }) }
    },
    async close() {
      await Promise.all([guardedAgent.destroy(), trustedAgent.destroy()])
    },
  }
}

function readUrl(text: string): URL {
  if (!URL.canParse(text))
    throw new Refusal(text.trim() === '' ? 'There is no address' : 'The address is not valid')
  return new URL(text)
}

const withoutBody = new Set(['GET', 'HEAD'])
const neverSent = new Set(['CONNECT', 'TRACE', 'TRACK'])

function firstHop({ method: given, headers, body }: OutgoingRequest, url: URL): Hop {
  const method = given.toUpperCase()
  if (neverSent.has(method) || !/^[A-Z]+$/.test(method)) {
    throw new RequestFailure('A request with this method cannot be sent')
  }
  return { method, url, headers: readHeaders(headers), body: withoutBody.has(method) ? undefined : body }
}

/** The destination first: where flows may not go is refused, whatever else is wrong. */
async function checkTarget(url: URL, find: FindAddresses | undefined, deadline: Deadline): Promise<void> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Refusal('The address is neither http nor https')
  }
  if (find) {
    await deadline.within(find(url.hostname, portOf(url)))
    if (isBannedPort(portOf(url))) throw new RequestFailure('The port is one that browsers never use')
  }
  if (url.username !== '' || url.password !== '') {
    throw new RequestFailure('The address holds a user name or a password')
  }
}

interface Companions {
  readonly deadline: Deadline
  check(url: URL): Promise<void>
  agentOf(url: URL): ConnectingAgent
}

async function follow(
  first: Hop,
  { check, agentOf, deadline }: Companions,
): Promise<Dispatcher.ResponseData> {
  let hop = first
  for (let redirects = 0; ; redirects++) {
    const response = await send(hop, agentOf(hop.url), deadline)
    const next = nextHop(hop, response.statusCode, response.headers['location'])
    if (!next) return response
    if (redirects === maxRedirects) throw new RequestFailure('There are too many redirects')
    // Lets the connection serve the next one; the end of the request ends this, too.
    response.body.dump().catch(() => {})
    await check(next.url).catch((error: unknown) => {
      throw error instanceof Refusal ? new RequestFailure(`The redirect is refused: ${error.message}`) : error
    })
    hop = next
  }
}

/** The library hears of an aborted request only when the connection stands, which may be too late. */
function send({ method, url, headers, body }: Hop, agent: ConnectingAgent, deadline: Deadline) {
  const response = agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    headers: wireHeaders(headers),
    body: body ?? null,
    signal: deadline.signal,
  })
  return deadline.within(response)
}
