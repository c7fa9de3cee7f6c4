import { lookup as resolve } from 'node:dns/promises'
import type { HttpClient, OutgoingOptions, OutgoingRequest, RequestOutcome } from '../../ports.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import type { AllowList } from './egress/allow-list.ts'
import { createDestinationPolicy, createOpenPolicy, type Lookup } from './egress/destination-policy.ts'
import { BlockedDestinationError, TimeoutError, toHttpClientError } from './http-client-error.ts'
import { createRequestChains, type RequestChain } from './request-chain.ts'
import { type Bytes, decodeBody, readText } from './response-body.ts'
import { type HttpAnswer, withRetries } from './retries.ts'

export interface HttpClientOptions {
  /** What flows may reach besides public addresses. */
  readonly allow: AllowList
  /** Default: the resolver of the system. */
  readonly lookup?: Lookup
}

/** Of a response, as it comes and as it is after decompression. */
const maxResponseBytes = 5 * 1024 * 1024

/**
 * Sends requests to public addresses and to those that are opened, and to nothing else: an address is checked before
 * a request, again when a connection is made, and with every redirect. Time and size are bounded.
 */
export function createHttpClient({ allow, lookup = systemLookup }: HttpClientOptions): HttpClient {
  const journeys = createRequestChains(createDestinationPolicy(allow, lookup), createOpenPolicy(lookup))

  async function send(request: OutgoingRequest, { signal, isTrusted }: OutgoingOptions = {}) {
    const deadline = startDeadline(request.timeoutMs, signal)
    try {
      const journey = await journeys.prepare(request, deadline, isTrusted === true)
      const { status, text } = await withRetries(journey.method, deadline, () => ask(journey))
      return { kind: 'response', status, text } as const
    } catch (error) {
      return outcomeOf(causeOf(error, deadline))
    } finally {
      deadline.end()
    }
  }

  async function stream(request: OutgoingRequest, { signal, isTrusted }: OutgoingOptions = {}) {
    const deadline = startDeadline(request.timeoutMs, signal)
    try {
      const journey = await journeys.prepare(request, deadline, isTrusted === true)
      const { statusCode, body } = await open(journey)
      return { status: statusCode, body: untilItsEnd(body, deadline) }
    } catch (error) {
      const cause = causeOf(error, deadline)
      deadline.end()
      throw cause
    }
  }

  return { send, stream, close: () => journeys.close() }
}

async function systemLookup(host: string): Promise<readonly string[]> {
  return (await resolve(host, { all: true })).map(({ address }) => address)
}

/** A refusal from here on is an ordinary failure: something was sent, or the name has changed its addresses. */
async function ask(journey: RequestChain): Promise<HttpAnswer> {
  try {
    const { statusCode, body, retryAfter } = await open(journey)
    return { status: statusCode, text: await readText(body), retryAfter }
  } catch (error) {
    throw toHttpClientError(error)
  }
}

async function open(journey: RequestChain) {
  const { statusCode, headers, body } = await journey.go()
  const encoding = headers['content-encoding'] ?? ''
  const retryAfter = headers['retry-after']
  return {
    statusCode,
    body: decodeBody(body, String(encoding), maxResponseBytes),
    retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
  }
}

async function* untilItsEnd(body: Bytes, deadline: Deadline): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    throw causeOf(error, deadline)
  } finally {
    deadline.end()
  }
}

/** Whatever breaks once the time is up, or the caller gave up, breaks because of that. */
function causeOf(error: unknown, { signal }: Deadline): Error {
  if (signal.aborted) return signal.reason
  return error instanceof BlockedDestinationError ? error : toHttpClientError(error)
}

function outcomeOf(error: Error): RequestOutcome {
  if (error instanceof BlockedDestinationError) return { kind: 'refused', reason: error.message }
  if (error instanceof TimeoutError) return { kind: 'timeout' }
  const { message, code } = toHttpClientError(error)
  return { kind: 'failed', message, ...(code !== undefined && { cause: code }) }
}
