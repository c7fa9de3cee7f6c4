import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import type { ConversationStore } from '../../../src/stores/conversation-store.ts'
import { Conversations } from '../../../src/stores/conversations/conversations.ts'
import { createPostgresContactStore } from '../../../src/stores/postgres/contacts/postgres-contact-store.ts'
import { PostgresConversationTable } from '../../../src/stores/postgres/conversations/postgres-conversation-table.ts'
import { createPostgresCountStore } from '../../../src/stores/postgres/counts/postgres-count-store.ts'
import { PostgresResultStore } from '../../../src/stores/postgres/results/postgres-result-store.ts'
import { createResultWriter } from '../../../src/stores/postgres/results/result-writer.ts'
import type { Timers } from '../../../src/stores/timers.ts'
import { connectEmpty } from './open-test-postgres.ts'
import { execute } from './postgres-tests.ts'

export const ttlMs = 120_000
export const answerMs = 100_000
export const leaseMs = 40_000
const waitMs = 80_000

/** What waits for milliseconds waits for so many at most, since the clock of the server is moved by hand. */
const mostWaitMs = 10

/** Opens the stores of an empty database, whose clock is moved by hand. */
export async function openPostgresStores(databaseUrl: string) {
  const database = await connectEmpty(databaseUrl)
  const writer = createResultWriter(database)
  const counts = createPostgresCountStore(database)
  const processes = new Map<ConversationStore, { readonly name: string; isDead: boolean }>()
  let offset = 0
  await setClock(databaseUrl, 0)

  function open(): ConversationStore {
    const process = { name: `p${processes.size}`, isDead: false }
    const timers: Timers = {
      after(ms, run) {
        const timer = setTimeout(() => process.isDead || run(), Math.min(ms, mostWaitMs))
        timer.unref()
      },
    }
    const store = new Conversations({
      table: new PostgresConversationTable({ database, writer, ttlMs, answerMs, leaseMs, timers }),
      appendLogs: writer.appendClientLogs,
      counts,
      maxQueuedTurns: 16,
      maxWaitMs: waitMs,
      timers,
      elapsed: () => performance.now() + offset,
      processName: process.name,
    })
    processes.set(store, process)
    return store
  }

  async function moveClock(ms: number): Promise<void> {
    offset += ms
    await setClock(databaseUrl, offset)
  }

  /** Whether everything that is held by a process that lives has been renewed. */
  async function isRenewed(): Promise<boolean> {
    const living = [...processes.values()].filter(({ isDead }) => !isDead).map(({ name }) => `${name}.%`)
    const { rows } = await execute(
      databaseUrl,
      `SELECT FROM (SELECT token, deadline FROM leases UNION ALL SELECT token, deadline FROM answers WHERE text IS NULL) AS held
       WHERE token LIKE ANY(ARRAY[${living.map((name) => `'${name}'`)}]::text[])
         AND deadline < service_clock() + ${leaseMs * 0.9}`,
    )
    return rows.length === 0
  }

  onTestFinished(() => writer.close())
  return {
    database,
    writer,
    open,
    kill(store: ConversationStore) {
      const process = processes.get(store)
      if (process) process.isDead = true
    },
    results: new PostgresResultStore(database),
    contacts: createPostgresContactStore(database),
    counts,
    ttlMs,
    answerMs,
    leaseMs,
    waitMs,
    /** Whether no statement runs, which would go by the time before. */
    async isIdle() {
      const { rows } = await execute(
        databaseUrl,
        `SELECT FROM pg_stat_activity
         WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()`,
      )
      return rows.length === 0
    },
    /**
     * Lets time pass in steps, so that what lives can renew what it holds, or is about to be given: nobody waits for that longer
     * than `waitMs`. What is longer, and finds nothing held, passes at once.
     */
    async advance(ms: number) {
      const { rows } = await execute(
        databaseUrl,
        'SELECT FROM leases UNION ALL SELECT FROM answers WHERE text IS NULL',
      )
      const steps = rows.length === 0 && ms > waitMs ? 1 : Math.ceil(ms / (leaseMs / 2))
      for (let step = 0; step < steps; step++) {
        await moveClock(ms / steps)
        await expect.poll(isRenewed, { interval: 5 }).toBe(true)
      }
      await delay(0)
    },
  }
}

async function setClock(databaseUrl: string, offset: number): Promise<void> {
  await execute(
    databaseUrl,
    `CREATE OR REPLACE FUNCTION service_clock() RETURNS bigint LANGUAGE sql VOLATILE AS
       'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint + ${Math.round(offset)}'`,
  )
}
