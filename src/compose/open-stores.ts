import type { Logger } from 'pino'
import type { Prometheus } from '../adapters/metrics/prometheus.ts'
import type { Config } from '../config/config.ts'
import { ProgramCache } from '../conversations/session/program-cache.ts'
import type { BlockRegistry } from '../engine/model/block-handler.ts'
import type { Ports } from '../ports/ports.ts'
import { createAnnouncements } from '../stores/announcements.ts'
import { Conversations } from '../stores/conversations/conversations.ts'
import { MemoryContactStore } from '../stores/memory/memory-contact-store.ts'
import { MemoryCountStore } from '../stores/memory/memory-count-store.ts'
import { createMemoryDefinitionStore } from '../stores/memory/memory-definition-store.ts'
import { createMemoryEndpointTable } from '../stores/memory/memory-endpoint-table.ts'
import { MemoryFlowTable } from '../stores/memory/memory-flow-table.ts'
import { MemoryInbox } from '../stores/memory/memory-inbox.ts'
import { MemoryOutbox } from '../stores/memory/memory-outbox.ts'
import { MemoryTable } from '../stores/memory/memory-table.ts'
import { MemoryResultStore } from '../stores/memory/results/memory-result-store.ts'
import { openDataFolder } from '../stores/sqlite/database.ts'
import { createSqliteDefinitionStore } from '../stores/sqlite/sqlite-definition-store.ts'
import { createSqliteResultStore } from '../stores/sqlite/sqlite-result-store.ts'
import { sqliteStores } from '../stores/sqlite/sqlite-stores.ts'
import { SqliteTable } from '../stores/sqlite/sqlite-table.ts'
import { Endpoints } from '../webhooks/endpoints.ts'
import { type BackEnd, type BackEndOptions, boundsOf, repeatableMs } from './back-end.ts'
import { openFlows } from './open-flows.ts'

/** Opens the stores that the configuration asks for. Rejects in words when they cannot be opened. */
export async function openStores(
  config: Config,
  log: Logger,
  prometheus: Pick<Prometheus, 'watch' | 'watchQueue' | 'metrics'> & {
    readonly ports: Ports
    readonly registry: BlockRegistry
  },
) {
  const { memory } = config
  const { watch, metrics, ports, registry } = prometheus
  const programs = new ProgramCache({ registry, maxBytes: memory.programs })
  const drafts = new ProgramCache({ registry, maxBytes: memory.draftPrograms })
  const definitions = createMemoryDefinitionStore({
    maxBytes: memory.definitions,
    draftMaxBytes: memory.drafts,
  })
  const options = { config, log, now: ports.now, definitions, asked: metrics.storeAsked }
  const backEnd = await openBackEnd(options)
  const { conversations, results } = backEnd
  watch('sessions', async () => (await conversations.usage()).live)
  watch('previews', async () => (await conversations.usage()).previews)
  watch('answers', async () => (await conversations.usage()).answers)
  watch('results', results.usage)
  if (backEnd.flowUsage) watch('flows', backEnd.flowUsage)
  if (backEnd.outbox.usage) watch('outbox', backEnd.outbox.usage)
  if (backEnd.inbox.usage) watch('inbox', backEnd.inbox.usage)
  prometheus.watchQueue('outbox', backEnd.outbox.countWaiting)
  prometheus.watchQueue('inbox', backEnd.inbox.countWaiting)
  if (backEnd.contactUsage) watch('contacts', backEnd.contactUsage)
  if (backEnd.counts.usage) watch('counts', backEnd.counts.usage)
  watch('definitions', definitions.usage)
  watch('drafts', definitions.draftUsage)
  watch('programs', () => programs.usage())
  watch('draft programs', () => drafts.usage())
  const subscribers = new Endpoints(backEnd.endpoints)
  await subscribers.refresh()
  const flows = await openFlows({ ...backEnd, config, log, ports, registry, programs, subscribers })
  return { ports, programs, drafts, subscribers, ...backEnd, ...flows }
}

async function openBackEnd(options: BackEndOptions): Promise<BackEnd> {
  const { dataDir, databaseUrl } = options.config
  if (databaseUrl !== undefined) {
    // Without a database, what talks to one need not be loaded.
    const { openPostgresBackEnd } = await import('./open-postgres-back-end.ts')
    return await openPostgresBackEnd(databaseUrl, options)
  }
  return dataDir === undefined ? openMemory(options) : await openEmbedded(dataDir, options)
}

function openMemory({ config, log, now, definitions }: BackEndOptions): BackEnd {
  log.info(
    'conversations, results and flows that are published over HTTP are kept in memory and end with the process: set DATA_DIR or DATABASE_URL to keep them',
  )
  const { memory, resultTtlMs: ttlMs } = config
  const results = new MemoryResultStore({
    maxBytes: memory.results,
    expiry: ttlMs === undefined ? undefined : { ttlMs, now },
  })
  const sessions = sessionBounds(config)
  const answers = { maxBytes: memory.answers, ttlMs: repeatableMs }
  const outbox = new MemoryOutbox({ ...config.outbox, maxBytes: memory.outbox, now })
  const inbox = new MemoryInbox({ ...config.inbox, maxBytes: memory.inbox, now })
  const contacts = new MemoryContactStore({ maxBytes: memory.contacts, queues: [outbox, inbox], now })
  const counts = new MemoryCountStore({ maxBytes: memory.counts, now })
  const conversations = new Conversations({
    table: new MemoryTable({ sessions, answers, results, contacts, counts, outbox, now }),
    appendLogs: results.appendLogs,
    counts,
    maxQueuedTurns: config.sessions.maxQueuedTurns,
    now,
  })
  const flowTable = new MemoryFlowTable({ definitions, maxBytes: memory.flows, outbox, now })
  const ofEndpoints = { note: flowTable.note, outbox, inbox }
  return {
    conversations,
    results,
    contacts,
    contactUsage: contacts.usage,
    counts,
    definitions,
    flowTable,
    flowUsage: flowTable.usage,
    outbox,
    inbox,
    endpoints: createMemoryEndpointTable('webhook', ofEndpoints),
    channels: createMemoryEndpointTable('channel', ofEndpoints),
    announcements: createAnnouncements(),
    problems: () => [],
    close: async () => undefined,
  }
}

function sessionBounds({ sessions: { max: maxSessions, ...sessions }, memory }: Config) {
  return { ...sessions, maxSessions, maxBytes: memory.sessions, previewMaxBytes: memory.previews }
}

async function openEmbedded(
  dataDir: string,
  { config, log, now, definitions, asked }: BackEndOptions,
): Promise<BackEnd> {
  const folder = await openDataFolder({
    folder: dataDir,
    bounds: boundsOf(config),
    now,
    report: log,
    asked,
  })
  log.info({ folder: dataDir, sqlite: folder.binding }, 'conversations and results are kept in DATA_DIR')
  const sessions = sessionBounds(config)
  const answers = { maxBytes: config.memory.answers, ttlMs: repeatableMs }
  const results = createSqliteResultStore(folder)
  const stores = sqliteStores(folder)
  return {
    ...stores,
    conversations: new Conversations({
      table: new SqliteTable({ folder, sessions, answers }),
      appendLogs: results.appendLogs,
      counts: stores.counts,
      maxQueuedTurns: config.sessions.maxQueuedTurns,
      now,
    }),
    results,
    definitions: createSqliteDefinitionStore(folder, definitions),
    announcements: createAnnouncements(),
    connections: () => folder.connections(),
    problems: folder.problems,
    close: () => folder.close(),
  }
}
