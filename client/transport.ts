import { refusalOf, UnreachableError } from './errors.ts'

/** Where a client sends to, and as whom. */
export interface ClientOptions {
  /** Of the service, without a slash at the end; in a browser empty for the origin of the page. */
  readonly address: string
  /** The token of previews, where the service has one. */
  readonly token?: string
  readonly fetch?: typeof fetch
  /** How often a request with a key is repeated that got no answer; 3 unless given. */
  readonly repetitions?: number
}

/** One request of a client. */
export interface Asked {
  readonly method?: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Lets the request be repeated: the service answers each key once. */
  readonly key?: string
  readonly signal?: AbortSignal | undefined
}

export type Send = (asked: Asked) => Promise<Response>

/** The first wait before a repetition, in milliseconds; each further one is twice as long. */
const firstWaitMs = 300

/** The longest wait that the service can ask for, in seconds. */
const maxWaitSeconds = 10

/** Statuses that say "not now": the turn was not taken, or is being answered. */
const passing = new Set([409, 429, 503])

/** A function that sends requests, repeats those that have a key, and throws what the service refuses. */
export function createTransport({ address, token, repetitions = 3, ...given }: ClientOptions): Send {
  const ask = given.fetch ?? ((...asked) => fetch(...asked))
  return async (asked) => {
    const { key, signal } = asked
    const request = requestOf(asked, token)
    for (let done = 0; ; done += 1) {
      const isLast = key === undefined || done >= repetitions
      const response = await ask(address + asked.path, request).catch((error: unknown) => {
        signal?.throwIfAborted()
        return error instanceof Error ? error : new Error(String(error))
      })
      if (response instanceof Error) {
        if (isLast) throw new UnreachableError('The service can not be reached', { cause: response })
      } else {
        if (response.ok) return response
        if (isLast || !passing.has(response.status) || !response.headers.has('retry-after'))
          throw await refusalOf(response)
      }
      await pause(waitOf(response, done), signal)
    }
  }
}

function requestOf({ method, body, headers, key, signal }: Asked, token: string | undefined): RequestInit {
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
    ...(signal && { signal }),
  }
}

function waitOf(response: Response | Error, done: number): number {
  const asked = response instanceof Error ? 0 : Number(response.headers.get('retry-after')) || 0
  return Math.max(Math.min(asked, maxWaitSeconds) * 1000, firstWaitMs * 2 ** done)
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
