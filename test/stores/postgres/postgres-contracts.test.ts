import { createPostgresCountStore } from '../../../src/stores/postgres/counts/postgres-count-store.ts'
import {
  createPostgresEndpointTable,
  createPostgresInbox,
  createPostgresOutbox,
} from '../../../src/stores/postgres/outgoing/postgres-outgoing.ts'
import { createPostgresFlowTable } from '../../../src/stores/postgres/postgres-flow-table.ts'
import { PostgresSweeper } from '../../../src/stores/postgres/upkeep/postgres-sweeper.ts'
import { readClock } from '../../../src/stores/postgres/upkeep/sweep-statements.ts'
import { inboxBounds, outboxBounds } from '../../support/memory-outbox.ts'
import { openPostgresStores } from '../../support/postgres/postgres-conversations.ts'
import { describeWithPostgres, useDatabase } from '../../support/postgres/postgres-tests.ts'
import { describeContactStore } from '../contracts/contact-store.ts'
import { describeConversationStore } from '../contracts/conversation-store.ts'
import { describeCountStore } from '../contracts/count-store.ts'
import { describeInboxStore } from '../contracts/inbox-store.ts'
import { describeOutboxStore } from '../contracts/outbox-store.ts'
import { describeResultStore } from '../contracts/result-store.ts'

describeWithPostgres('PostgreSQL', (serverUrl) => {
  const databaseUrl = useDatabase(serverUrl)
  describeConversationStore('conversation store', () => openPostgresStores(databaseUrl()))
  describeContactStore('contact store', () => openPostgresStores(databaseUrl()))
  describeCountStore('count store', async () => {
    const stores = await openPostgresStores(databaseUrl())
    const { counts, database } = stores
    const sweep = async () => {
      const [clock] = await database.query<{ now: number }>(readClock)
      while (await counts.sweep(clock?.now ?? 0));
    }
    return { ...stores, now: Date.now(), sweep }
  })
  describeResultStore('result store', async () => {
    const { open, results } = await openPostgresStores(databaseUrl())
    return { conversations: open(), results }
  })
  const openQueues = async () => {
    const { database, open, contacts, advance, ttlMs } = await openPostgresStores(databaseUrl())
    const roomy = { maxSessions: 100, previewMaxBytes: 1e6, maxAnswerBytes: 1e6, resultTtlMs: undefined }
    const sweeper = new PostgresSweeper({
      database,
      bounds: { sessionTtlMs: ttlMs, ...roomy, outbox: outboxBounds, inbox: inboxBounds },
      timers: { after: () => undefined },
      counts: createPostgresCountStore(database),
      alongside: async () => undefined,
      report: () => undefined,
    })
    const flows = createPostgresFlowTable({ database, databaseUrl: databaseUrl() })
    const outbox = createPostgresOutbox(database)
    const inbox = createPostgresInbox(database, inboxBounds)
    const endpoints = createPostgresEndpointTable(database, 'webhook')
    const channels = createPostgresEndpointTable(database, 'channel')
    const sweep = () => sweeper.sweep()
    return { open, contacts, outbox, inbox, endpoints, channels, flows, advance, sweep }
  }
  describeOutboxStore('outbox', openQueues)
  describeInboxStore('inbox', openQueues)
})
