import { LRUCache } from 'lru-cache'
import type { Definition, DefinitionStore } from '../definition-store.ts'
import type { MemoryDefinitionStore } from '../memory/memory-definition-store.ts'
import {
  dropSurplusDrafts,
  getDefinition,
  getDefinitions,
  publishDefinitions,
  publishedAtOnce,
  putDefinition,
  useDefinitions,
} from './definition-statements.ts'
import type { PostgresDatabase } from './postgres-database.ts'
import { joinJson } from './postgres-text.ts'

interface PostgresDefinitionsOptions {
  readonly database: Pick<PostgresDatabase, 'query' | 'transaction'>
  /** Definitions that were used in this process lately. Its texts are those of the database, as a hash has one text. */
  readonly memory: MemoryDefinitionStore
  /** Of drafts of all processes together. */
  readonly draftMaxBytes: number
}

/** How long the use of a definition is known to the database before it is noted again. */
const notedMs = 10 * 60 * 1000

const mostNoted = 10_000

/**
 * Keeps definitions for all processes. Which of them are published is no count, since a process that is killed would never
 * take its own back: each process notes what it publishes as used.
 */
export function createPostgresDefinitionStore(options: PostgresDefinitionsOptions) {
  const { database, memory, draftMaxBytes } = options
  const { query, transaction } = database
  const noted = new LRUCache<string, true>({ max: mostNoted, ttl: notedMs })

  async function publish(definitions: readonly Definition[]): Promise<void> {
    const hashes = definitions.map(({ hash }) => hash)
    const there = new Set((await query<{ hash: string }>(useDefinitions, [hashes])).map(({ hash }) => hash))
    const missing = new Map(
      definitions.flatMap(({ hash, text }) => (there.has(hash) ? [] : [[hash, text] as const])),
    )
    // In one order, so that processes which start together wait for each other, and never in a circle.
    const ordered = [...missing.keys()].sort()
    if (ordered.length > 0)
      await transaction(async (within) => {
        for (let first = 0; first < ordered.length; first += publishedAtOnce) {
          const batch = ordered.slice(first, first + publishedAtOnce)
          const texts = batch.map((hash) => missing.get(hash))
          await within(publishDefinitions, [batch, joinJson(texts)])
        }
      })
    for (const hash of hashes) noted.set(hash, true)
  }

  async function keep(hash: string, text: string): Promise<void> {
    if (memory.isRetained(hash)) return publish([{ hash, text }])
    const [row] = await query<{ isNew: boolean }>(putDefinition, [hash, text, false])
    noted.set(hash, true)
    if (row?.isNew) await query(dropSurplusDrafts, [draftMaxBytes, hash])
  }

  const store: DefinitionStore = {
    async put(hash, text) {
      await memory.put(hash, text)
      if (!memory.isRetained(hash)) await keep(hash, text)
    },
    async get(hash) {
      const known = await memory.get(hash)
      if (known !== undefined) {
        // It has made room for others there, or will, unless its use is noted.
        if (!noted.has(hash)) await keep(hash, known).catch(() => undefined)
        return known
      }
      const [row] = await query<{ body: string }>(getDefinition, [hash])
      if (!row) return undefined
      // One that is too large for the memory is read again the next time.
      await memory.put(hash, row.body).catch(() => undefined)
      noted.set(hash, true)
      return row.body
    },
    async getAll(hashes) {
      const found = new Map(await memory.getAll(hashes))
      for (let first = 0; first < hashes.length; first += publishedAtOnce) {
        const batch = hashes.slice(first, first + publishedAtOnce)
        const rows = await query<{ hash: string; body: string }>(getDefinitions, [batch])
        for (const { hash, body } of rows) found.set(hash, body)
      }
      return found
    },
    async retain(definitions) {
      await memory.retain(definitions)
      // A published flow is served from memory while the database is away, which learns of it later.
      await publish(definitions).catch(() => undefined)
    },
    release: memory.release,
  }
  return {
    ...store,
    /** Says that what this process publishes is in use; to be called now and then. */
    async noteUses(): Promise<void> {
      const late = memory.retained().filter(({ hash }) => !noted.has(hash))
      if (late.length > 0) await publish(late)
    },
  }
}
