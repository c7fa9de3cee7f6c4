import { LRUCache } from 'lru-cache'
import type { DefinitionStore } from '../definition-store.ts'
import {
  dropSurplusDrafts,
  getDefinition,
  publishDefinitions,
  putDefinition,
  useDefinitions,
} from './definition-statements.ts'
import type { PostgresDatabase } from './postgres-database.ts'
import { createStatementBatch } from './statement-batch.ts'

export interface PostgresDefinitions extends DefinitionStore {
  /** Says that what this process publishes is in use; to be called now and then. */
  noteUses(): Promise<void>
}

export interface PostgresDefinitionsOptions {
  readonly database: Pick<PostgresDatabase, 'query'>
  /** What was used in this process lately. Its texts are those of the database, as a hash has one text. */
  readonly memory: DefinitionStore
  /** Of drafts of all processes together. */
  readonly draftMaxBytes: number
}

/** How long the use of a definition is known to the database before it is noted again. */
const notedMs = 10 * 60 * 1000

const mostNoted = 10_000

/** Definitions that are published in one statement: at a start there are as many as there are flows. */
const publishedAtOnce = 1000

/**
 * Keeps definitions for all processes. Which of them are published is no count, since a process that is killed would never
 * take its own back: each process notes what it publishes as used.
 */
export function createPostgresDefinitionStore(options: PostgresDefinitionsOptions): PostgresDefinitions {
  const { memory, draftMaxBytes } = options
  const { query } = options.database
  const retained = new Map<string, number>()
  const noted = new LRUCache<string, true>({ max: mostNoted, ttl: notedMs })

  const publishing = createStatementBatch<string, void>(
    async (hashes) => {
      const there = new Set((await query<{ hash: string }>(useDefinitions, [hashes])).map(({ hash }) => hash))
      const texts = await Promise.all(hashes.map((hash) => (there.has(hash) ? undefined : memory.get(hash))))
      const missing = hashes.flatMap((hash, index) =>
        texts[index] === undefined ? [] : { hash, text: texts[index] },
      )
      if (missing.length > 0)
        await query(publishDefinitions, [missing.map(({ hash }) => hash), missing.map(({ text }) => text)])
      for (const hash of hashes) noted.set(hash, true)
      return hashes.map(() => undefined)
    },
    { maxRequests: publishedAtOnce, nameOf: (hash) => hash },
  )

  async function keep(hash: string, text: string): Promise<void> {
    if (retained.has(hash)) return publishing.send(hash)
    const [row] = await query<{ isNew: boolean }>(putDefinition, [hash, text, false])
    noted.set(hash, true)
    if (row?.isNew) await query(dropSurplusDrafts, [draftMaxBytes, hash])
  }

  /** A published flow is served from memory while the database is away, which learns of it later. */
  async function keepPublished(hash: string): Promise<void> {
    if ((await memory.get(hash)) !== undefined) await publishing.send(hash).catch(() => noted.delete(hash))
  }

  return {
    async put(hash, text) {
      await memory.put(hash, text)
      if (retained.has(hash)) await keepPublished(hash)
      else await keep(hash, text)
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
    async retain(hash) {
      const references = retained.get(hash) ?? 0
      retained.set(hash, references + 1)
      await memory.retain(hash)
      if (references === 0) await keepPublished(hash)
    },
    async release(hash) {
      const references = retained.get(hash) ?? 0
      if (references > 1) retained.set(hash, references - 1)
      else retained.delete(hash)
      await memory.release(hash)
    },
    async noteUses() {
      const late = [...retained.keys()].filter((hash) => !noted.has(hash))
      if (late.length === 0) return
      const rows = await query<{ hash: string }>(useDefinitions, [late])
      for (const { hash } of rows) noted.set(hash, true)
      for (const hash of late) if (!noted.has(hash)) await keepPublished(hash)
    },
  }
}
