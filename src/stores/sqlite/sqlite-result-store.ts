import { readCursor, writeCursor } from '../codec/result-cursor.ts'
import type { ResultStore } from '../result-store.ts'
import type { DataFolder } from './database.ts'

/** Reads results of the database. Each request is one short read, however long the list. */
export function createSqliteResultStore({ send, usage }: Pick<DataFolder, 'send' | 'usage'>): ResultStore {
  return {
    get: (flowId, id) => send('get result', { flowId, id }),
    exists: (id) => send('has result', { id }),
    async list(flowId, { limit, cursor, filter = {} }) {
      const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : readCursor(cursor)
      const { results, last } = await send('list results', { flowId, before, limit, filter })
      return last === undefined ? { results } : { results, nextCursor: writeCursor(last) }
    },
    delete: (flowId, id) => send('delete result', { flowId, id }),
    usage: async () => (await usage()).results,
  }
}
