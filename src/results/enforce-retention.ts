import { ServiceError } from '../lib/errors.ts'
import { hasOutlived } from '../stores/codec/result-retention.ts'
import { inSteps } from '../stores/in-steps.ts'
import type { OutlivedResult, ResultName } from '../stores/result-store.ts'
import { erasePage } from './erase-results.ts'
import type { ResultsDependencies } from './results-dependencies.ts'

/** How often results that have outlived their time are looked for. */
const pollMs = 10_000

/** Results of a step, between which others are served. */
const stepSize = 50

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
      const step = async () => !isClosed && (await eraseOutlived(deps)) === stepSize
      await inSteps(step, deps.erasing)
    } catch (err) {
      // A store that is away has said so itself, and once.
      const isAway = err instanceof ServiceError && err.code === 'SERVICE_UNAVAILABLE'
      if (!isClosed && !isAway)
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
  for (const [flowId, ids] of groupByFlow(found)) {
    const names = await wholeOf(flowId, ids, deps)
    if (names.length === 0) continue
    const { deleted, failure } = await erasePage(flowId, names, deps)
    if (deleted > 0) {
      const publicId = (await published.byFlowId(flowId))?.publicId ?? flowId
      await noteErasure({ publicId, actor: 'retention', deleted, by: 'age' })
    }
    if (failure !== undefined) throw failure
  }
  return found.length
}

function groupByFlow(found: readonly OutlivedResult[]): ReadonlyMap<string, readonly string[]> {
  const ids = new Map<string, string[]>()
  for (const { flowId, id } of found) ids.set(flowId, [...(ids.get(flowId) ?? []), id])
  return ids
}

/** Those that are to go as a whole; from the others goes what is too old. */
async function wholeOf(
  flowId: string,
  ids: readonly string[],
  { results, ports }: RetentionDependencies,
): Promise<readonly ResultName[]> {
  const now = ports.now()
  const whole: ResultName[] = []
  for (const id of ids) {
    const result = await results.get(flowId, id)
    if (result && hasOutlived(result, now)) whole.push(result)
    else await results.forget(flowId, id, now)
  }
  return whole
}
