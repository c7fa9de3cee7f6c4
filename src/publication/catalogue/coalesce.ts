/**
 * Runs a task one at a time. A call while it runs asks for one more run afterwards, which all such calls share:
 * what a call resolves with has begun after the call.
 */
export function coalesce(task: () => Promise<void>): () => Promise<void> {
  let running = Promise.resolve()
  let next: Promise<void> | undefined
  function begin(): Promise<void> {
    next = undefined
    running = task()
    return running
  }
  return () => {
    next ??= running.then(begin, begin)
    return next
  }
}
