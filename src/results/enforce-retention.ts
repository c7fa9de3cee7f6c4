import { hasOutlived } from '../stores/codec/result-retention.ts'
import type { OutlivedResult } from '../stores/result-store.ts'
import { eraseResult } from './erase-results.ts'
import type { ResultsDependencies } from './results-dependencies.ts'

/** How often results that have outlived their time are looked for. */
const pollMs = 10_000

/** Results of a step, between which others are served. */
const stepSize = 100

interface RetentionDependencies extends ResultsDependencies {
  readonly ports: ResultsDependencies['ports'] & { now(): number }
  readonly log: { warn(details: object, message: string): void }
}

/** Erases what has outlived the time that its flow gives it, from now on; what it returns ends that. */
export function enforceRetention(deps: RetentionDependencies): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let running: Promise<void> = Promise.resolve()
  const schedule = () => {
    if (isClosed) return
    timer = setTimeout(() => {
      running = sweep().finally(schedule)
    }, pollMs).unref()
  }
  async function sweep(): Promise<void> {
    try {
      while (!isClosed && (await eraseOutlived(deps)) === stepSize) await deps.ports.nextTurn()
    } catch (err) {
      if (!isClosed)
        deps.log.warn({ err }, 'what has outlived its time could not be erased, and is tried again')
    }
  }
  schedule()
  return async () => {
    isClosed = true
    clearTimeout(timer)
    await running
  }
}

/**
 * Takes a step of what has outlived its time: whole results go with their sessions and files, of others the values of marked
 * variables go. Any number of processes may do so on one back end. How many it has found.
 */
export async function eraseOutlived(deps: RetentionDependencies): Promise<number> {
  const { results, noteErasure, published } = deps
  const now = deps.ports.now()
  const found = await results.outlived(now, stepSize)
  const erased = new Map<string, number>()
  try {
    for (const { flowId, id } of found) {
      if (await settle({ flowId, id }, now, deps)) erased.set(flowId, (erased.get(flowId) ?? 0) + 1)
    }
  } finally {
    for (const [flowId, deleted] of erased) {
      const publicId = (await published.byFlowId(flowId))?.publicId ?? flowId
      await noteErasure({ publicId, actor: 'retention', deleted, by: 'age' })
    }
  }
  return found.length
}

/** Whether the whole result went. */
async function settle(
  { flowId, id }: OutlivedResult,
  now: number,
  deps: RetentionDependencies,
): Promise<boolean> {
  const result = await deps.results.get(flowId, id)
  if (!result || !hasOutlived(result, now)) {
    await deps.results.forget(flowId, id, now)
    return false
  }
  await eraseResult(flowId, result, deps)
  return true
}
