import { createAnnouncements } from '../stores/announcements.ts'
import { Conversations } from '../stores/conversations/conversations.ts'
import { PostgresConversationTable } from '../stores/postgres/conversations/postgres-conversation-table.ts'
import { createPostgresFlowTable } from '../stores/postgres/flows/postgres-flow-table.ts'
import { openPostgres } from '../stores/postgres/postgres-database.ts'
import { createPostgresDefinitionStore } from '../stores/postgres/postgres-definition-store.ts'
import { createPostgresRelay } from '../stores/postgres/postgres-relay.ts'
import { createPostgresResultStore } from '../stores/postgres/results/postgres-result-store.ts'
import { createResultWriter } from '../stores/postgres/results/result-writer.ts'
import { runMigrations } from '../stores/postgres/run-migrations.ts'
import { PostgresSweeper } from '../stores/postgres/upkeep/postgres-sweeper.ts'
import { createPostgresUploadCounts } from '../stores/postgres/uploads/postgres-upload-counts.ts'
import { systemTimers } from '../stores/timers.ts'
import { type BackEnd, type BackEndOptions, repeatableMs } from './back-end.ts'

/** Opens what the database keeps whatever keeps conversations, after bringing its schema to what this build needs. */
export async function openSharedDatabase(databaseUrl: string, options: BackEndOptions) {
  const { config, log } = options
  const { sessions, memory, resultTtlMs } = config
  await runMigrations(databaseUrl, log)
  const database = openPostgres({ databaseUrl, maxConnections: config.databaseConnections, report: log })
  const writer = createResultWriter(database)
  const definitions = createPostgresDefinitionStore({
    database,
    memory: options.definitions,
    draftMaxBytes: memory.drafts,
  })
  const sweeper = new PostgresSweeper({
    database,
    bounds: {
      sessionTtlMs: sessions.ttlMs,
      maxSessions: sessions.max,
      previewMaxBytes: memory.previews,
      maxAnswerBytes: memory.answers,
      resultTtlMs,
    },
    timers: systemTimers,
    alongside: definitions.noteUses,
    report: (err) => log.warn({ err }, 'the upkeep of the database was put off'),
  })
  return {
    database,
    writer,
    definitions,
    results: createPostgresResultStore(database),
    flowTable: createPostgresFlowTable({ database, databaseUrl }),
    uploadCounts: createPostgresUploadCounts(database),
    async close() {
      sweeper.close()
      await writer.close()
      await database.close()
    },
  }
}

/** Opens a database that keeps conversations too. */
export async function openPostgresBackEnd(databaseUrl: string, options: BackEndOptions): Promise<BackEnd> {
  const { writer, close, ...shared } = await openSharedDatabase(databaseUrl, options)
  const { database, definitions, results, flowTable, uploadCounts } = shared
  const { ttlMs, maxQueuedTurns } = options.config.sessions
  const { host, pathname } = new URL(databaseUrl)
  options.log.info(
    { server: host, database: decodeURIComponent(pathname.slice(1)) },
    'conversations and results are kept in the database of DATABASE_URL',
  )
  const conversations = new Conversations({
    table: new PostgresConversationTable({ database, writer, ttlMs, answerMs: repeatableMs }),
    appendLogs: writer.appendClientLogs,
    maxQueuedTurns,
  })
  const announcements = createAnnouncements(createPostgresRelay({ database, databaseUrl }))
  const { problems } = database
  return { conversations, results, definitions, flowTable, uploadCounts, announcements, problems, close }
}
