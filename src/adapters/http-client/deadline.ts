import { setMaxListeners } from 'node:events'
import { HttpClientError, TimeoutError } from './http-client-error.ts'

/** The end of a request: its time is up, its caller gave up, or it is done. */
export type Deadline = ReturnType<typeof startDeadline>

/** Longest delay of a timer; a longer one fires at once. */
const longestMs = 2 ** 31 - 1

/** Starts the deadline of a request. Its caller has to end it. */
export function startDeadline(timeoutMs: number, outer: AbortSignal | undefined) {
  const controller = new AbortController()
  const { signal } = controller
  // Each redirect and each try listens, and stops at the end.
  setMaxListeners(0, signal)
  const endsAt = performance.now() + timeoutMs
  const giveUp = () => controller.abort(new HttpClientError('The request was aborted'))
  const timer = setTimeout(() => controller.abort(new TimeoutError()), Math.min(timeoutMs, longestMs))
  if (outer?.aborted) giveUp()
  else outer?.addEventListener('abort', giveUp, { once: true })
  return {
    /** Its reason is the error to report. */
    signal,
    remainingMs: () => endsAt - performance.now(),
    /** Waits for something that cannot be stopped, for as long as there is time. */
    within: <T>(work: Promise<T>) => unlessAborted(work, signal),
    /** Lets go of everything that still belongs to the request. */
    end(): void {
      clearTimeout(timer)
      outer?.removeEventListener('abort', giveUp)
      controller.abort(new HttpClientError('The request is over'))
    },
  }
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
