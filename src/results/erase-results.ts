import { ServiceError } from '../lib/errors.ts'
import type { Result, ResultFilter, ResultPage } from '../stores/result-store.ts'
import type { ResultsDependencies } from './results-dependencies.ts'

/** Results that are erased between two yields to the event loop. */
const erasedAtOnce = 500

export interface ErasureRequest {
  /** Absent for all. */
  readonly filter?: ResultFilter | undefined
  /** Aborted when the caller no longer waits for the outcome. */
  readonly signal: AbortSignal
}

interface Erased {
  readonly deleted: number
  /** The error that kept the first of the remaining results from being erased. */
  readonly failure: unknown
}

/**
 * Erases the results of a flow that are there when this begins, in batches, as far as it gets before the signal: while one
 * is erased, the next one is read. When one can't be erased, the others are all the same.
 */
export async function eraseResults(
  flowId: string,
  { filter, signal }: ErasureRequest,
  deps: ResultsDependencies,
): Promise<Erased> {
  let deleted = 0
  let failure: unknown
  const note = (error: unknown): undefined => {
    failure ??= error
  }
  const read = (cursor?: string): Promise<ResultPage | undefined> =>
    deps.results.list(flowId, { limit: erasedAtOnce, cursor, filter }).catch(note)

  let page = await read()
  while (page && !signal.aborted) {
    const { results, nextCursor } = page
    const erasures = results.map((result) =>
      eraseResult(result, deps).then(() => {
        deleted += 1
      }, note),
    )
    page = nextCursor === undefined ? undefined : await read(nextCursor)
    await Promise.all(erasures)
    await deps.ports.nextTurn()
  }
  return { deleted, failure }
}

/**
 * Erases a result, and the session and the files that hold the same answers. The session goes first, after the turn
 * that it may be in, and the result last: when anything hinders it, the result is still there to be erased again.
 */
export async function eraseResult(result: Result, deps: ResultsDependencies): Promise<void> {
  const { conversations } = deps
  const { id, flowId, lastChatSessionId } = result
  await conversations.erase(lastChatSessionId)
  await deps.eraseFiles?.(id)
  const last = await deps.results.delete(flowId, id)
  // A visitor who came back meanwhile has begun another session.
  if (last && last.lastChatSessionId !== lastChatSessionId) await conversations.erase(last.lastChatSessionId)
}

/** The error of an incomplete erasure: that of the first failure, with the number of erased results. */
export function failedErasure({ deleted, failure }: Erased): unknown {
  if (!(failure instanceof ServiceError)) return failure
  const { code, message, retryAfter } = failure
  return new ServiceError(
    code,
    `${message} (${deleted} results were erased, and the call can be made again)`,
    {
      cause: failure,
      ...(retryAfter !== undefined && { retryAfter }),
    },
  )
}
