/**
 * Lets work go on until `limitMs` are over or `outer` is aborted. The signal asks it to end; nothing is left behind
 * on `outer`, which may live as long as the process.
 */
export async function withTimeLimit<T>(
  limitMs: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController()
  const giveUp = () => stop.abort(outer.reason)
  const timer = setTimeout(() => stop.abort(new Error('The turn has no time left')), limitMs)
  if (outer.aborted) giveUp()
  else outer.addEventListener('abort', giveUp)
  try {
    return await work(stop.signal)
  } finally {
    clearTimeout(timer)
    outer.removeEventListener('abort', giveUp)
  }
}

/** Waits for work, which never rejects, but no longer than until the signal is aborted: undefined then. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return undefined
  let giveUp = () => {}
  const aborted = new Promise<undefined>((resolve) => {
    giveUp = () => resolve(undefined)
    signal.addEventListener('abort', giveUp)
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
