import type { DefinitionStore } from '../definition-store.ts'
import type { MemoryDefinitionStore } from '../memory/memory-definition-store.ts'
import type { DataFolder } from './database.ts'

/**
 * Keeps what published flows retain in the database too, so that sessions find their version after a restart. Drafts
 * stay in memory, as the previews that run them do.
 */
export function createSqliteDefinitionStore(
  folder: Pick<DataFolder, 'calls'>,
  memory: MemoryDefinitionStore,
): DefinitionStore {
  const kept = folder.calls('definitions', 'put', 'get', 'getAll', 'retain', 'release')
  return {
    put: memory.put,
    get: async (hash) => (await memory.get(hash)) ?? (await kept.get(hash)),
    async getAll(hashes) {
      return new Map([...(await memory.getAll(hashes)), ...(await kept.getAll(hashes))])
    },
    async retain(definitions) {
      const hashes = definitions.map(({ hash }) => hash)
      const missing = new Set(await kept.retain(hashes))
      const fresh = definitions.filter(({ hash }) => missing.has(hash))
      if (fresh.length > 0) await kept.put(fresh)
      await memory.retain(definitions)
    },
    async release(hashes) {
      const before = hashes.filter(memory.isRetained)
      await memory.release(hashes)
      const ended = before.filter((hash) => !memory.isRetained(hash))
      if (ended.length > 0) await kept.release(ended)
    },
  }
}
