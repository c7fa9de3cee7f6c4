export interface BackoffOptions {
  /** Milliseconds after the first failure in which nothing is tried. It doubles with each further one. */
  readonly firstPauseMs?: number
  readonly longestPauseMs?: number
  /** Milliseconds on a clock that is never set back. */
  readonly elapsed?: () => number
}

interface Opener<T> {
  /** Opens it, or resolves with what is open. Rejects at once while a failure is too recent to try again. */
  get(): Promise<T>
  /** Whether the last try failed. */
  hasFailed(): boolean
}

/** Opens something once, at its first use. A failure is not kept: a call after a pause tries again. */
export function openWithBackoff<T>(open: () => Promise<T>, options: BackoffOptions = {}): Opener<T> {
  const { firstPauseMs = 100, longestPauseMs = 30_000, elapsed = () => performance.now() } = options
  let opened: Promise<T> | undefined
  let failure: { readonly error: unknown; readonly pauseMs: number; readonly until: number } | undefined

  const start = async () => {
    try {
      const value = await open()
      failure = undefined
      return value
    } catch (error) {
      opened = undefined
      const pauseMs = failure ? Math.min(2 * failure.pauseMs, longestPauseMs) : firstPauseMs
      failure = { error, pauseMs, until: elapsed() + pauseMs }
      throw error
    }
  }

  return {
    get() {
      if (!opened && failure && elapsed() < failure.until) return Promise.reject(failure.error)
      opened ??= start()
      return opened
    },
    hasFailed: () => failure !== undefined,
  }
}
