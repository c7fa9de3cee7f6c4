import type { Result, ResultStore } from './result-store.ts'
import { createTextCache } from './text-cache.ts'

/** Keeps results as JSON text in this process. */
export function createMemoryResultStore({ maxBytes }: { readonly maxBytes: number }): ResultStore {
  const texts = createTextCache({ maxBytes })
  return {
    async get(flowId, resultId) {
      const text = texts.get(resultId)
      if (text === undefined) return undefined
      const result: Result = JSON.parse(text)
      return result.flowId === flowId && !result.isArchived ? result : undefined
    },
    async save(result) {
      texts.set(result.id, JSON.stringify(result))
    },
  }
}
