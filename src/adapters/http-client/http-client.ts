import { lookup as resolve } from 'node:dns/promises'
import { Readable } from 'node:stream'
import type { HttpClient, OutgoingOptions } from '../../ports/http-client-port.ts'
import { notBegun, type OutgoingContent } from '../../ports/http-client-port.ts'
import type { FileHeaders, OutgoingRequest, RequestOutcome } from '../../ports/known-types.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import type { AllowList } from './egress/allow-list.ts'
import { createDestinationPolicy, createOpenPolicy, type Lookup } from './egress/destination-policy.ts'
import {
  BlockedDestinationError,
  HttpClientError,
  TimeoutError,
  toHttpClientError,
} from './http-client-error.ts'
import { createRequestChains, type RequestChain } from './request-chain.ts'
import { type Bytes, decodeBody, readText } from './response-body.ts'
import { type ResponseHead, retryPolicyOf, serverPauseMs, withRetries } from './retries.ts'

interface HttpClientOptions {
  /** Destinations that flows may reach besides public addresses. */
  readonly allow: AllowList
  /** Default: the resolver of the system. */
  readonly lookup?: Lookup
}

/** Largest response unless its reader takes more, both compressed and decompressed. */
const maxResponseBytes = 5 * 1024 * 1024

/**
 * Sends requests to public addresses and to those that are opened, and to nothing else: an address is checked before
 * a request, again when a connection is made, and with every redirect. Time and size are bounded.
 */
export function createHttpClient({ allow, lookup = systemLookup }: HttpClientOptions): HttpClient {
  const chains = createRequestChains(createDestinationPolicy(allow, lookup), createOpenPolicy(lookup))

  async function send(
    request: OutgoingRequest,
    { signal, isTrusted = false, mayRepeat }: OutgoingOptions = {},
  ) {
    const deadline = startDeadline(request.timeoutMs, signal)
    try {
      const chain = await chains.prepare(request, deadline, { isTrusted })
      const policy = retryPolicyOf(chain.method, mayRepeat)
      const { status, text, file } = await withRetries(policy, deadline, () => ask(chain))
      const isHead = chain.method === 'HEAD'
      return { kind: 'response', status, text, ...(isHead && { file }) } as const
    } catch (error) {
      return outcomeOf(causeOf(error, deadline))
    } finally {
      deadline.end()
    }
  }

  async function stream(request: OutgoingRequest, options: OutgoingOptions = {}) {
    const { signal, isTrusted = false, isDirect = false, mayRepeat, maxBytes, mayBegin } = options
    const { content = mayBegin && contentOnce(mayBegin, request) } = options
    const deadline = startDeadline(request.timeoutMs, signal)
    try {
      const chain = await chains.prepare(request, deadline, { isTrusted, isDirect, content })
      const policy = mayRepeat && retryPolicyOf(chain.method, mayRepeat)
      const { file, body, ...head } = await withRetries(policy, deadline, () => begin(chain, maxBytes))
      const { status } = head
      const { contentType, contentLength: length = '' } = file
      const contentLength = /^\d{1,15}$/.test(length) ? Number(length) : undefined
      const retryAfterMs = serverPauseMs(head)
      return { status, contentType, contentLength, retryAfterMs, body: untilItsEnd(body, deadline) }
    } catch (error) {
      const cause = causeOf(error, deadline)
      deadline.end()
      throw cause
    }
  }

  return { send, stream, close: () => chains.close() }
}

async function systemLookup(host: string): Promise<readonly string[]> {
  return (await resolve(host, { all: true })).map(({ address }) => address)
}

interface OpenResponse extends ResponseHead {
  readonly file: FileHeaders
  readonly body: Bytes
}

/** A refusal from here on is an ordinary failure: something was sent, or the name has changed its addresses. */
async function ask(chain: RequestChain): Promise<Omit<OpenResponse, 'body'> & { readonly text: string }> {
  try {
    const { body, ...answer } = await open(chain)
    return { ...answer, text: await readText(body) }
  } catch (error) {
    throw toHttpClientError(error)
  }
}

/** A response that is no success is read to its end, so that its connection is free for another try. */
async function begin(chain: RequestChain, maxBytes: number | undefined): Promise<OpenResponse> {
  const opened = await open(chain, maxBytes)
  if (opened.status < 400) return opened
  const text = await readText(opened.body)
  return { ...opened, body: Readable.from([Buffer.from(text)]) }
}

async function open(chain: RequestChain, maxBytes = maxResponseBytes): Promise<OpenResponse> {
  const { statusCode, headers, body } = await chain.go()
  const encoding = headers['content-encoding'] ?? ''
  const headerOf = (name: string) => {
    const value = headers[name]
    return typeof value === 'string' ? value : undefined
  }
  return {
    status: statusCode,
    file: {
      contentType: headerOf('content-type'),
      contentLength: headerOf('content-length'),
      contentDisposition: headerOf('content-disposition'),
    },
    body: decodeBody(body, String(encoding), maxBytes),
    retryAfter: headerOf('retry-after'),
    retryAfterMs: headerOf('retry-after-ms'),
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

/** After the deadline or an abort by the caller, that is the cause of every further error. */
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

/**
 * The body of a request, which asks when it is read whether the request may begin: the library reads it when the connection stands, and
 * sends nothing before it has its first piece. Undefined where there is no body to wait for.
 */
function contentOnce(mayBegin: () => boolean, { body, bytes }: OutgoingRequest): OutgoingContent | undefined {
  const content = Buffer.from(bytes ?? body ?? '')
  if (content.length === 0) return undefined
  return {
    bytes: content.length,
    open: () =>
      new Readable({
        read() {
          if (!mayBegin())
            return void this.destroy(new HttpClientError('It was not to begin any more', { code: notBegun }))
          this.push(content)
          this.push(null)
        },
      }),
  }
}
