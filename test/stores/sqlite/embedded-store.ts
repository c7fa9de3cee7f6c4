import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { Conversations } from '../../../src/stores/conversations/conversations.ts'
import { createMemoryDefinitionStore } from '../../../src/stores/memory/memory-definition-store.ts'
import { type DatabaseOptions, openDataFolder } from '../../../src/stores/sqlite/database.ts'
import { createSqliteDefinitionStore } from '../../../src/stores/sqlite/sqlite-definition-store.ts'
import { createSqliteResultStore } from '../../../src/stores/sqlite/sqlite-result-store.ts'
import { sqliteStores } from '../../../src/stores/sqlite/sqlite-stores.ts'
import { SqliteTable } from '../../../src/stores/sqlite/sqlite-table.ts'
import { type BindingName, loadBinding } from '../../../src/stores/sqlite/thread/binding.ts'
import { fixedNow } from '../../support/fixed-ports.ts'
import { inboxBounds, outboxBounds } from '../../support/memory-outbox.ts'

const megabyte = 1024 * 1024
export const ttlMs = 60_000
export const answerMs = 50_000
export const waitMs = 40_000

/** The bindings that work here: what Node has depends on its version. */
export const bindings: readonly BindingName[] = (
  await Promise.all(
    (['@photostructure/sqlite', 'node:sqlite'] as const).map((name) =>
      loadBinding(name).then(
        () => [name],
        () => [],
      ),
    ),
  )
).flat()

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'data-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

type Changed = Partial<Omit<DatabaseOptions, 'bounds'>> & {
  readonly bounds?: Partial<DatabaseOptions['bounds']>
  /** Of live sessions in memory. */
  readonly cacheBytes?: number
}

/** Opens the stores of a data folder, which is a fresh one unless it is given, with a clock that is moved by hand. */
export async function openEmbedded({ cacheBytes = megabyte, ...changed }: Changed = {}) {
  let now = fixedNow
  const silent = { error: () => undefined, warn: () => undefined, info: () => undefined }
  const folder = await openDataFolder({
    folder: changed.folder ?? temporaryFolder(),
    now: changed.now ?? (() => now),
    report: silent,
    sweepMs: 0,
    ...changed,
    bounds: {
      sessionTtlMs: ttlMs,
      maxSessions: 1000,
      maxAnswerBytes: megabyte,
      resultTtlMs: undefined,
      outbox: outboxBounds,
      inbox: inboxBounds,
      ...changed.bounds,
    },
  })
  const table = new SqliteTable({
    folder,
    sessions: { ttlMs, maxSessions: 1000, maxBytes: cacheBytes, previewMaxBytes: megabyte },
    answers: { maxBytes: megabyte, ttlMs: answerMs },
  })
  const results = createSqliteResultStore(folder)
  const stores = sqliteStores(folder)
  const memory = createMemoryDefinitionStore({ maxBytes: megabyte, draftMaxBytes: megabyte })
  return {
    folder,
    open: () =>
      new Conversations({
        table,
        appendLogs: results.appendLogs,
        counts: stores.counts,
        maxQueuedTurns: 16,
        maxWaitMs: waitMs,
        elapsed: () => now,
      }),
    ...stores,
    results,
    definitions: createSqliteDefinitionStore(folder, memory),
    advance: (ms: number) => {
      now += ms
    },
    close: () => folder.close(),
  }
}
