import { ServiceError } from '../lib/errors.ts'
import { inSteps } from '../stores/in-steps.ts'
import type { ResultFilter, ResultName } from '../stores/result-store.ts'
import type { ResultsDependencies } from './results-dependencies.ts'

interface ErasureRequest {
  /** Absent for all. */
  readonly filter?: ResultFilter | undefined
  /** Aborted when the caller no longer waits for the outcome. */
  readonly signal: AbortSignal
  /** How many may be erased; absent for any number. */
  readonly most?: number | undefined
}

interface ErasureOutcome {
  readonly deleted: number
  /** The error that kept the first of the remaining results from being erased. */
  readonly failure: unknown
}

/**
 * Erases the results of a flow that are there when this begins, in batches between which turns are served, as far as it gets
 * before the signal. When one can't be erased, the others are all the same.
 */
export async function eraseResultsOf(
  flowId: string,
  { filter, signal, most = Number.POSITIVE_INFINITY }: ErasureRequest,
  deps: ResultsDependencies,
): Promise<ErasureOutcome> {
  let deleted = 0
  let failure: unknown
  const note = (error: unknown): undefined => {
    failure ??= error
  }
  let room = most
  let cursor: string | undefined
  await inSteps(async () => {
    if (signal.aborted) return false
    const page = await deps.results.listNames(flowId, { cursor, filter }).catch(note)
    if (!page) return false
    const { names, nextCursor } = page
    const erased = await erasePage(flowId, names.slice(0, room), deps)
    deleted += erased.deleted
    failure ??= erased.failure
    room -= names.length
    cursor = nextCursor
    await deps.ports.nextTurn()
    return cursor !== undefined && room > 0
  }, deps.erasing)
  return { deleted, failure }
}

/** Erases some as a set, and one by one what hinders that. Never rejects. */
export async function erasePage(
  flowId: string,
  names: readonly ResultName[],
  deps: ResultsDependencies,
): Promise<ErasureOutcome> {
  const left = await eraseIdle(flowId, names, deps).catch(() => names)
  const outcomes = await Promise.allSettled(left.map((name) => eraseResult(flowId, name, deps)))
  const failures = outcomes.filter((outcome) => outcome.status === 'rejected')
  return { deleted: names.length - failures.length, failure: failures[0]?.reason }
}

/** Erases those that no turn is writing to, in the order of `eraseResult`; the others. */
async function eraseIdle(
  flowId: string,
  names: readonly ResultName[],
  deps: ResultsDependencies,
): Promise<readonly ResultName[]> {
  const sessions = new Set(names.map(({ lastChatSessionId }) => lastChatSessionId))
  const busy = new Set(await deps.conversations.eraseIdle([...sessions]))
  const isBusy = ({ lastChatSessionId }: ResultName) => busy.has(lastChatSessionId)
  await eraseRest(
    flowId,
    names.filter((name) => !isBusy(name)),
    deps,
  )
  return names.filter(isBusy)
}

/**
 * Erases a result, and the session and the files that hold the same answers. The session goes first, after the turn
 * that it may be in, and the result last: when anything hinders it, the result is still there to be erased again.
 */
export async function eraseResult(
  flowId: string,
  name: ResultName,
  deps: ResultsDependencies,
): Promise<void> {
  await deps.conversations.erase(name.lastChatSessionId)
  await eraseRest(flowId, [name], deps)
}

/** Erases the files and the results of sessions that have been erased. */
async function eraseRest(
  flowId: string,
  names: readonly ResultName[],
  { eraseFiles, results, conversations }: ResultsDependencies,
): Promise<void> {
  const sessionOf = new Map(names.map(({ id, lastChatSessionId }) => [id, lastChatSessionId]))
  const ids = [...sessionOf.keys()]
  await eraseFiles?.(ids)
  for (const { id, lastChatSessionId } of await results.delete(flowId, ids)) {
    // A visitor who came back meanwhile has begun another session.
    if (sessionOf.get(id) !== lastChatSessionId) await conversations.erase(lastChatSessionId)
  }
}

/** The error of an incomplete erasure: that of the first failure, with the number of erased results. */
export function failedErasure({ deleted, failure }: ErasureOutcome): unknown {
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

/** The refusal to erase more than somebody has confirmed. */
export function moreThanConfirmed(found: number, confirmed: number): ServiceError {
  const message = `${found} results match now, more than the ${confirmed} that were confirmed: none is erased`
  return new ServiceError('CONFLICT', message, {
    problems: [{ pointer: '/count', message: `must be ${found} to erase them` }],
  })
}
