import type { ResultStore } from '../../result-store.ts'
import type { Outbox } from './outbox.ts'

/** Reads results as of the last turn that was committed, by any process. */
export function createOutboxResults(
  results: ResultStore,
  { drainResult, drainAll }: Pick<Outbox, 'drainResult' | 'drainAll'>,
): ResultStore {
  return {
    ...results,
    async get(flowId, resultId) {
      await drainResult(resultId)
      return results.get(flowId, resultId)
    },
    async exists(resultId) {
      await drainResult(resultId)
      return results.exists(resultId)
    },
    async list(flowId, page) {
      await drainAll()
      return results.list(flowId, page)
    },
    async delete(flowId, resultId) {
      await drainResult(resultId)
      return results.delete(flowId, resultId)
    },
  }
}
