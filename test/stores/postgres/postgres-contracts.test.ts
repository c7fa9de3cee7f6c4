import { openPostgresStores } from '../../support/postgres/postgres-conversations.ts'
import { describeWithPostgres, useDatabase } from '../../support/postgres/postgres-tests.ts'
import { describeConversationStore } from '../contracts/conversation-store.ts'
import { describeResultStore } from '../contracts/result-store.ts'

describeWithPostgres('PostgreSQL', (serverUrl) => {
  const databaseUrl = useDatabase(serverUrl)
  describeConversationStore('conversation store', () => openPostgresStores(databaseUrl()))
  describeResultStore('result store', async () => {
    const { open, results } = await openPostgresStores(databaseUrl())
    return { conversations: open(), results }
  })
})
