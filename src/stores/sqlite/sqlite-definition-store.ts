import type { DefinitionStore } from '../definition-store.ts'
import type { DataFolder } from './database.ts'

/**
 * Keeps what published flows retain in the database too, so that sessions find their version after a restart. Drafts
 * stay in memory, as the previews that run them do.
 */
export function createSqliteDefinitionStore(
  { send }: Pick<DataFolder, 'send'>,
  memory: DefinitionStore,
): DefinitionStore {
  const retained = new Map<string, number>()
  /** Those of them that the database has. */
  const kept = new Set<string>()

  async function keep(hash: string, text: string): Promise<void> {
    if (kept.has(hash)) return
    await send('put definition', { hash, text })
    kept.add(hash)
  }

  return {
    async put(hash, text) {
      await memory.put(hash, text)
      if (retained.has(hash)) await keep(hash, text)
    },
    get: async (hash) => (await memory.get(hash)) ?? (await send('get definition', { hash })),
    async retain(hash) {
      const references = retained.get(hash) ?? 0
      retained.set(hash, references + 1)
      await memory.retain(hash)
      if (references > 0) return
      if (await send('retain definition', { hash })) kept.add(hash)
      const text = await memory.get(hash)
      if (text !== undefined) await keep(hash, text)
    },
    async release(hash) {
      const references = retained.get(hash) ?? 0
      if (references > 1) retained.set(hash, references - 1)
      else {
        retained.delete(hash)
        kept.delete(hash)
      }
      await memory.release(hash)
      if (references === 1) await send('release definition', { hash })
    },
  }
}
