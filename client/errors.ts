import type { Input, Problem } from './wire.js'

/**
 * The service refused a request, and says why; `code` is stable. `message` is for developers: it names the places in the
 * request that are wrong. What is for people alone is `problem.message`.
 */
export class RefusedError extends Error {
  override readonly name: string = 'RefusedError'
  readonly status: number
  readonly code: string
  /** The whole answer; undefined where something before the service gave it. */
  readonly problem: Problem | undefined
  /** Seconds after which the service wants to be asked again; undefined where it does not. */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, problem?: Problem, retryAfterSeconds?: number) {
    super(problem ? describe(problem) : `The service answered ${status}`)
    this.status = status
    this.code = problem?.code ?? 'UNKNOWN'
    this.problem = problem
    this.retryAfterSeconds = retryAfterSeconds
  }
}

function describe({ message, errors = [] }: Problem): string {
  const places = errors.map((error) => `${error.pointer} ${error.message}`.trim())
  return places.length === 0 ? message : `${message}: ${places.join('; ')}`
}

/** The conversation has gone on elsewhere, in another tab for one: what waits now stands in `input`. */
export class StaleError extends RefusedError {
  override readonly name = 'StaleError'
  readonly version: string | undefined
  readonly input: Input | undefined

  constructor(status: number, problem: Problem | undefined, version: string | undefined) {
    super(status, problem)
    this.version = version
    this.input = (problem as { readonly input?: Input } | undefined)?.input
  }
}

/** The conversation is over, was erased, or never was. */
export class GoneError extends RefusedError {
  override readonly name = 'GoneError'
}

/** No answer came, though the request was repeated. Whether the turn was taken is not known: repeat it with its key. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
  /** Whether the answer did not come in time; else the connection could not be made, or broke. */
  readonly isLate: boolean

  constructor(message: string, { isLate = false, ...options }: ErrorOptions & { isLate?: boolean } = {}) {
    super(message, options)
    this.isLate = isLate
  }
}

/** The answer of a model broke off while it was streamed. */
export class StreamError extends Error {
  override readonly name = 'StreamError'
}

/** Reads what a refusal says. */
export async function refusalOf(response: Response): Promise<RefusedError> {
  const problem = (await response.json().catch(() => undefined)) as Problem | undefined
  const { status, headers } = response
  if (status === 412) return new StaleError(status, problem, headers.get('etag') ?? undefined)
  if (status === 404) return new GoneError(status, problem)
  const retryAfter = headers.get('retry-after')
  return new RefusedError(status, problem, retryAfter === null ? undefined : secondsUntil(retryAfter))
}

/** Proxies name seconds, or a date. */
function secondsUntil(retryAfter: string): number {
  const seconds = Number(retryAfter)
  return Math.max(Number.isNaN(seconds) ? (Date.parse(retryAfter) - Date.now()) / 1000 : seconds, 0) || 0
}
