import type { DefinitionStore } from '../definition-store.ts'
import type { MemoryDefinitionStore } from '../memory/memory-definition-store.ts'
import type { DataFolder } from './database.ts'

/**
 * Keeps what published flows retain in the database too, so that sessions find their version after a restart. Drafts
 * stay in memory, as the previews that run them do.
 */
export function createSqliteDefinitionStore(
  { send }: Pick<DataFolder, 'send'>,
  memory: MemoryDefinitionStore,
): DefinitionStore {
  return {
    put: memory.put,
    get: async (hash) => (await memory.get(hash)) ?? (await send('get definition', hash)),
    async retain(definitions) {
      const hashes = definitions.map(({ hash }) => hash)
      const missing = new Set(await send('retain definitions', hashes))
      const fresh = definitions.filter(({ hash }) => missing.has(hash))
      if (fresh.length > 0) await send('put definitions', fresh)
      await memory.retain(definitions)
    },
    async release(hashes) {
      const before = hashes.filter(memory.isRetained)
      await memory.release(hashes)
      const ended = before.filter((hash) => !memory.isRetained(hash))
      if (ended.length > 0) await send('release definitions', ended)
    },
  }
}
