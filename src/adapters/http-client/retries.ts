import { setTimeout } from 'node:timers/promises'
import type { Deadline } from './deadline.ts'
import { toHttpClientError } from './http-client-error.ts'

/** A response, read to its end. */
export interface HttpAnswer {
  readonly status: number
  readonly text: string
  /** What the server wants to be left alone for. */
  readonly retryAfter: string | undefined
}

const repeatable = new Set(['GET', 'HEAD'])
const passingStatuses = new Set([429, 502, 503, 504])

/** Before the second try and before the third, which is the last. */
const pausesMs = [300, 600]

/** Asks again when that does no harm and may help, for as long as there is time for it. */
export async function withRetries(
  method: string,
  deadline: Deadline,
  ask: () => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
  if (!repeatable.has(method)) return ask()
  for (const pauseMs of pausesMs) {
    const outcome = await settle(ask())
    const waitMs = Math.max(pauseMs, serverPauseMs(outcome))
    const isFinal = !mayPass(outcome) || deadline.signal.aborted || waitMs >= deadline.remainingMs()
    if (isFinal) return unwrap(outcome)
    await setTimeout(waitMs, undefined, { signal: deadline.signal })
  }
  return ask()
}

type Outcome = { readonly answer: HttpAnswer } | { readonly error: unknown }

function settle(asked: Promise<HttpAnswer>): Promise<Outcome> {
  return asked.then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  )
}

function unwrap(outcome: Outcome): HttpAnswer {
  if ('error' in outcome) throw outcome.error
  return outcome.answer
}

function mayPass(outcome: Outcome): boolean {
  return 'error' in outcome
    ? toHttpClientError(outcome.error).isTransient
    : passingStatuses.has(outcome.answer.status)
}

/** Seconds, or a date. */
function serverPauseMs(outcome: Outcome): number {
  const given = 'error' in outcome ? undefined : outcome.answer.retryAfter
  if (given === undefined) return 0
  const pauseMs = /^\d+$/.test(given) ? Number(given) * 1000 : Date.parse(given) - Date.now()
  return Number.isNaN(pauseMs) ? 0 : pauseMs
}
