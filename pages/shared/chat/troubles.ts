import { RefusedError, type Settings, UnreachableError } from '../../../client/client.ts'
import { words } from '../words/speak.ts'

/** Longest wait before a repetition for which the service has named no time, in seconds. */
const longestWait = 30

/**
 * Seconds until something that failed is asked once more, after so many times; undefined for what would be refused again.
 * What came too late is asked at once: its answer may stand ready by then.
 */
export function waitBefore(error: unknown, tries: number): number | undefined {
  const usual = Math.min(2 ** tries, longestWait)
  if (error instanceof UnreachableError) return error.isLate ? 0 : usual
  if (!(error instanceof RefusedError)) return undefined
  const { status, retryAfterSeconds } = error
  if (status === 409) return retryAfterSeconds
  return status === 429 || status >= 500 ? retryAfterSeconds || usual : undefined
}

/** Reason in the visitor's words for which something is asked once more. */
export function reasonToWait(error: unknown, { general }: Settings): string {
  const { tooOften, takesLong, tooMuchToDo, offline, connectionLost } = words.value
  if (error instanceof RefusedError) {
    if (error.status === 429) return tooOften
    return error.status === 409 ? takesLong : tooMuchToDo
  }
  const { networkErrorTitle, networkErrorMessage } = general?.systemMessages ?? {}
  if (networkErrorTitle || networkErrorMessage)
    return [networkErrorTitle, networkErrorMessage].filter(Boolean).join('. ')
  if (isOffline()) return offline
  return error instanceof UnreachableError && error.isLate ? takesLong : connectionLost
}

/** Whether the visitor can answer otherwise. */
export const isFaultOfAnswer = ({ status }: RefusedError) => [400, 413, 422].includes(status)

/** Whether a message was refused for its length. */
export const isTooLong = ({ status, problem }: RefusedError) =>
  status === 413 || (problem?.errors ?? []).some(({ pointer }) => pointer === '/message')

const isOffline = () => globalThis.navigator?.onLine === false
