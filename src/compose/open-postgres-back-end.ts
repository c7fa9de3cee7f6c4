import { createAnnouncements } from '../stores/announcements.ts'
import { Conversations } from '../stores/conversations/conversations.ts'
import { createPostgresContactStore } from '../stores/postgres/contacts/postgres-contact-store.ts'
import { PostgresConversationTable } from '../stores/postgres/conversations/postgres-conversation-table.ts'
import { createPostgresCountStore } from '../stores/postgres/counts/postgres-count-store.ts'
import {
  createPostgresEndpointTable,
  createPostgresInbox,
  createPostgresOutbox,
} from '../stores/postgres/outgoing/postgres-outgoing.ts'
import { PostgresDatabase } from '../stores/postgres/postgres-database.ts'
import { createPostgresDefinitionStore } from '../stores/postgres/postgres-definition-store.ts'
import { createPostgresFlowTable } from '../stores/postgres/postgres-flow-table.ts'
import { createPostgresRelay } from '../stores/postgres/postgres-relay.ts'
import { createPostgresUploadCounts } from '../stores/postgres/postgres-upload-counts.ts'
import { createRequestCounts } from '../stores/postgres/request-counts.ts'
import { PostgresResultStore } from '../stores/postgres/results/postgres-result-store.ts'
import { createResultWriter } from '../stores/postgres/results/result-writer.ts'
import { runMigrations } from '../stores/postgres/run-migrations.ts'
import { openServerClock } from '../stores/postgres/server-clock.ts'
import { PostgresSweeper } from '../stores/postgres/upkeep/postgres-sweeper.ts'
import { systemTimers } from '../stores/timers.ts'
import { type BackEnd, type BackEndOptions, boundsOf, repeatableMs } from './back-end.ts'

/** Opens a database for everything that is kept, after bringing its schema to what this build needs. */
export async function openPostgresBackEnd(databaseUrl: string, options: BackEndOptions): Promise<BackEnd> {
  const { config, log } = options
  const { ttlMs, maxQueuedTurns } = config.sessions
  await runMigrations(databaseUrl, log)
  const database = new PostgresDatabase({
    databaseUrl,
    maxConnections: config.databaseConnections,
    report: log,
    asked: options.asked,
  })
  const { host, pathname } = new URL(databaseUrl)
  log.info(
    { server: host, database: decodeURIComponent(pathname.slice(1)) },
    'conversations and results are kept in the database of DATABASE_URL',
  )
  const clock = await openServerClock(database, systemTimers)
  const writer = createResultWriter(database)
  const definitions = createPostgresDefinitionStore({
    database,
    memory: options.definitions,
    draftMaxBytes: config.memory.drafts,
  })
  const counts = createPostgresCountStore(database)
  const sweeper = openSweeper(options, { database, counts, definitions })
  return {
    conversations: new Conversations({
      table: new PostgresConversationTable({ database, writer, ttlMs, answerMs: repeatableMs }),
      appendLogs: writer.appendClientLogs,
      counts,
      maxQueuedTurns,
      maxWaitMs: config.limits.wholeTurnMs,
      now: clock.now,
    }),
    results: new PostgresResultStore(database),
    contacts: createPostgresContactStore(database),
    counts,
    definitions,
    flowTable: createPostgresFlowTable({ database, databaseUrl }),
    outbox: createPostgresOutbox(database),
    inbox: createPostgresInbox(database, config.inbox),
    endpoints: createPostgresEndpointTable(database, 'webhook'),
    channels: createPostgresEndpointTable(database, 'channel'),
    announcements: createAnnouncements(createPostgresRelay({ database, databaseUrl })),
    sharedCounts: createRequestCounts(database),
    uploadCounts: createPostgresUploadCounts(database),
    clock: clock.now,
    connections: database.connections,
    problems: database.problems,
    async close() {
      sweeper.close()
      clock.close()
      await writer.close()
      await database.close()
    },
  }
}

interface SweptStores {
  readonly database: PostgresDatabase
  readonly counts: ReturnType<typeof createPostgresCountStore>
  readonly definitions: ReturnType<typeof createPostgresDefinitionStore>
}

/** Keeps all within its bounds from now on. */
function openSweeper({ config, log }: BackEndOptions, { database, counts, definitions }: SweptStores) {
  return new PostgresSweeper({
    database,
    bounds: { ...boundsOf(config), previewMaxBytes: config.memory.previews },
    timers: systemTimers,
    counts,
    alongside: definitions.noteUses,
    report: (err) => log.warn({ err }, 'the upkeep of the database was put off'),
  })
}
