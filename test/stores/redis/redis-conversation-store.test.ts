import { afterAll, beforeAll } from 'vitest'
import { type RedisServer, startRedisServer } from '../../support/redis-server.ts'
import { describeWithRedis } from '../../support/redis-tests.ts'
import { describeConversationStore } from '../contracts/conversation-store.ts'
import { openRedis } from './redis-store.ts'

describeWithRedis('a Redis server', () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedisServer()
  })
  afterAll(() => server.close())

  describeConversationStore('Redis conversation store', () => openRedis(server))
})
