import { refusalOf, UnreachableError } from './errors.js'

/** Where a client sends to, and as whom. */
export interface ClientOptions {
  /** Of the service, without a slash at the end; in a browser empty for the origin of the page. */
  readonly address: string
  /** The token of previews, where the service has one. */
  readonly token?: string
  readonly fetch?: typeof fetch
  /** How often a request with a key is repeated that got no answer; 3 unless given. */
  readonly repetitions?: number
  /**
   * Milliseconds in which a request has to be answered, each repetition anew; 30,000 unless given. Streams have to begin
   * in them, and a file has a second more for each 16 kB.
   */
  readonly timeLimitMs?: number
}

/** One request of a client. */
export interface Asked {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH'
  readonly path: string
  /** Whether the path is an address of another server, which hears nothing of this one. */
  readonly isElsewhere?: boolean
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Lets the request be repeated: the service answers each key once. */
  readonly key?: string
  /** Ends the request, and what is still read of its answer. */
  readonly signal?: AbortSignal | undefined
  /** Whether the answer is read while it comes in; set by `open`. */
  readonly isStreamed?: boolean
}

/** An answer that has come in whole. */
export interface Answer {
  /** As JSON. */
  readonly body: unknown
  /** The version of the session that it leads to. */
  readonly version: string | undefined
}

/**
 * Sends requests, and repeats those that have a key. Throws RefusedError for what the service refuses, UnreachableError
 * when no answer came in time, and the reason of the signal that ended it.
 */
export interface Transport {
  /** Waits for the whole answer. */
  ask(asked: Asked): Promise<Answer>
  /** Waits for an answer to begin. */
  open(asked: Asked): Promise<Response>
}

/** Reads of an answer what its request is for. */
type Read<Result> = (response: Response) => Promise<Result>

/** The first wait before a repetition, in milliseconds; each further one is twice as long. */
const firstWaitMs = 300

/** The longest wait that the service can ask for, in seconds. */
const maxWaitSeconds = 10

/** What a slow connection uploads in a millisecond. */
const bytesPerMs = 16

/** Statuses that say "not now": the turn was not taken, or is being answered. */
const passing = new Set([409, 429, 503])

export function createTransport(options: ClientOptions): Transport {
  return {
    ask: (asked) => send(asked, options, readWhole),
    open: (asked) => send({ ...asked, isStreamed: true }, options, async (response) => response),
  }
}

async function readWhole(response: Response): Promise<Answer> {
  const text = await response.text()
  return {
    body: text === '' ? undefined : JSON.parse(text),
    version: response.headers.get('etag') ?? undefined,
  }
}

async function send<Result>(asked: Asked, options: ClientOptions, read: Read<Result>): Promise<Result> {
  const { key, signal } = asked
  for (let done = 0; ; done += 1) {
    const isLast = key === undefined || done >= (options.repetitions ?? 3)
    const outcome = await tryOnce(asked, options, read)
    if ('result' in outcome) return outcome.result
    signal?.throwIfAborted()
    if (isLast || outcome.waitSeconds === undefined) throw outcome.failure
    await pause(
      Math.max(Math.min(outcome.waitSeconds, maxWaitSeconds) * 1000, firstWaitMs * 2 ** done),
      signal,
    )
  }
}

/** What came of sending a request once. */
type Outcome<Result> =
  | { readonly result: Result }
  /** `waitSeconds`: after which it may be sent once more; undefined for what stays as it is. */
  | { readonly failure: Error; readonly waitSeconds: number | undefined }

async function tryOnce<Result>(
  asked: Asked,
  options: ClientOptions,
  read: Read<Result>,
): Promise<Outcome<Result>> {
  const limit = startLimit(asked, options.timeLimitMs ?? 30_000)
  try {
    const { isElsewhere = false, path } = asked
    const request = { ...requestOf(asked, isElsewhere ? undefined : options.token), signal: limit.signal }
    const response = await (options.fetch ?? fetch)(isElsewhere ? path : options.address + path, request)
    if (response.ok) return { result: await read(response) }
    const failure = await refusalOf(response)
    return { failure, waitSeconds: passing.has(failure.status) ? failure.retryAfterSeconds : undefined }
  } catch (cause) {
    const isLate = limit.signal.aborted
    return {
      failure: new UnreachableError('The service can not be reached', { cause, isLate }),
      waitSeconds: 0,
    }
  } finally {
    limit.end()
  }
}

/** A signal that ends a request when its time is over, or its caller wants no answer any more. */
function startLimit(
  { body, signal, isStreamed = false }: Asked,
  timeLimitMs: number,
): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  const limitMs = timeLimitMs + (body instanceof Blob ? body.size / bytesPerMs : 0)
  const expire = () => controller.abort(new Error(`No answer came within ${Math.round(limitMs / 1000)} s`))
  const timer = setTimeout(expire, limitMs)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer)
      if (!isStreamed) signal?.removeEventListener('abort', abort)
    },
  }
}

function requestOf({ method, body, headers, key }: Asked, token: string | undefined): RequestInit {
  const isBytes = body instanceof Blob
  return {
    method: method ?? 'POST',
    headers: {
      ...(body !== undefined && !isBytes && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...headers,
    },
    ...(body !== undefined && { body: isBytes ? body : JSON.stringify(body) }),
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp)
      resolve()
    }, ms)
    signal?.addEventListener('abort', giveUp)
  })
}
