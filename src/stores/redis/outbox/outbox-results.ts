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
    async listNames(flowId, page) {
      await drainAll()
      return results.listNames(flowId, page)
    },
    async delete(flowId, resultIds) {
      const [first] = resultIds
      if (first !== undefined && resultIds.length === 1) await drainResult(first)
      else await drainAll()
      return results.delete(flowId, resultIds)
    },
  }
}
