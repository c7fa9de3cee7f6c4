import { afterAll, beforeAll } from 'vitest'
import { type RedisServer, startRedisServer } from '../../support/redis-server.ts'
import { describeWithRedis } from '../../support/redis-tests.ts'
import { describeConversationStore } from '../contracts/conversation-store.ts'
import { openRedis } from './redis-store.ts'

// One server holds all slots: what would need two of them is refused all the same.
describeWithRedis('a Redis cluster', () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedisServer(['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1'])
    await server.client.cluster('ADDSLOTSRANGE', 0, 16_383)
    while (!String(await server.client.cluster('INFO')).includes('cluster_state:ok'))
      await new Promise((resolve) => setTimeout(resolve, 20))
  })
  afterAll(() => server.close())

  describeConversationStore('Redis conversation store', () => openRedis(server))
})
