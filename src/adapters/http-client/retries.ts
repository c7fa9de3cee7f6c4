import { setTimeout } from 'node:timers/promises'
import type { Deadline } from './deadline.ts'
import { toHttpClientError } from './http-client-error.ts'

/** A response, or the beginning of one. */
export interface ResponseHead {
  readonly status: number
  /** Value of the header `Retry-After`. */
  readonly retryAfter: string | undefined
  /** The same in milliseconds, from servers that say so. */
  readonly retryAfterMs: string | undefined
}

/** When a request is sent again. */
interface RetryPolicy {
  mayPass(status: number): boolean
  /** Milliseconds until the second try (0) and the third (1), which is the last. */
  pauseMs(nth: number, serverPauseMs: number | undefined): number
  /** Asked before each further try. */
  mayRepeat(): boolean
}

const repeatable = new Set(['GET', 'HEAD'])
const passingStatuses = new Set([429, 502, 503, 504])

const pausesMs = [300, 600]

/** A request without side effects is sent again when that may help. */
const harmless: RetryPolicy = {
  mayPass: (status) => passingStatuses.has(status),
  pauseMs: (nth, serverPauseMs = 0) => Math.max(pausesMs[nth] ?? 0, serverPauseMs),
  mayRepeat: () => true,
}

/** Statuses of servers that have done nothing. */
const undone = new Set([408, 409, 429])

/** Between these, drawn anew each time: those that failed together are not to come back together. */
const shortestPauseMs = 500
const longestPausesMs = [1000, 4000]

/** A request that its sender allows to be repeated. */
function allowed(mayRepeat: () => boolean): RetryPolicy {
  return {
    mayPass: (status) => undone.has(status) || status >= 500,
    pauseMs(nth, serverPauseMs) {
      const longest = longestPausesMs[nth] ?? shortestPauseMs
      return serverPauseMs ?? shortestPauseMs + Math.random() * (longest - shortestPauseMs)
    },
    mayRepeat,
  }
}

/** Undefined for a request that is sent once. */
export function retryPolicyOf(
  method: string,
  mayRepeat: (() => boolean) | undefined,
): RetryPolicy | undefined {
  if (mayRepeat) return allowed(mayRepeat)
  return repeatable.has(method) ? harmless : undefined
}

/** Asks again when that may help, for as long as there is time for it. */
export async function withRetries<Answer extends ResponseHead>(
  policy: RetryPolicy | undefined,
  deadline: Deadline,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  if (!policy) return ask()
  for (let nth = 0; nth < pausesMs.length; nth++) {
    const outcome = await settle(ask())
    const waitMs = policy.pauseMs(nth, 'error' in outcome ? undefined : serverPauseMs(outcome.answer))
    const isFinal = !mayPass(outcome, policy) || deadline.signal.aborted || waitMs >= deadline.remainingMs()
    if (isFinal || !policy.mayRepeat()) return unwrap(outcome)
    await setTimeout(waitMs, undefined, { signal: deadline.signal })
  }
  return ask()
}

type Outcome<Answer> = { readonly answer: Answer } | { readonly error: unknown }

function settle<Answer>(asked: Promise<Answer>): Promise<Outcome<Answer>> {
  return asked.then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  )
}

function unwrap<Answer>(outcome: Outcome<Answer>): Answer {
  if ('error' in outcome) throw outcome.error
  return outcome.answer
}

function mayPass(outcome: Outcome<ResponseHead>, policy: RetryPolicy): boolean {
  return 'error' in outcome
    ? toHttpClientError(outcome.error).isTransient
    : policy.mayPass(outcome.answer.status)
}

/** Seconds, or a date, unless the server names milliseconds. */
export function serverPauseMs({
  retryAfter,
  retryAfterMs,
}: Pick<ResponseHead, 'retryAfter' | 'retryAfterMs'>): number | undefined {
  if (retryAfterMs !== undefined && /^\d+(\.\d+)?$/.test(retryAfterMs)) return Number(retryAfterMs)
  if (retryAfter === undefined) return undefined
  const pauseMs = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now()
  return Number.isNaN(pauseMs) ? undefined : Math.max(0, pauseMs)
}
