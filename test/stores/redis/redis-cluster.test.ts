import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../support/free-port.ts'
import { type RedisServer, startRedisServer } from '../../support/redis-server.ts'
import { describeWithRedis } from '../../support/redis-tests.ts'
import { describeConversationStore, smallSession, wholeSession } from '../contracts/conversation-store.ts'
import { openRedis } from './redis-store.ts'

const slotCount = 16_384

/** Servers that share the slots evenly and know of each other. */
async function startCluster(size: number): Promise<RedisServer[]> {
  const buses = await Promise.all(Array.from({ length: size }, freePort))
  const servers = await Promise.all(
    buses.map((bus) =>
      startRedisServer([
        ...['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1'],
        ...['--cluster-port', String(bus)],
      ]),
    ),
  )
  for (const [index, { client, port }] of servers.entries()) {
    const first = (at: number) => Math.ceil((slotCount * at) / size)
    await client.cluster('ADDSLOTSRANGE', first(index), first(index + 1) - 1)
    await servers[0]?.client.call('CLUSTER', 'MEET', '127.0.0.1', port, String(buses[index]))
  }
  for (const { client } of servers)
    while (!isWhole(String(await client.cluster('INFO')), size))
      await new Promise((resolve) => setTimeout(resolve, 20))
  return servers
}

const isWhole = (info: string, size: number) =>
  info.includes('cluster_state:ok') && info.includes(`cluster_size:${size}\r\n`)

describeWithRedis('a Redis cluster of three servers', () => {
  let servers: RedisServer[]
  beforeAll(async () => {
    servers = await startCluster(3)
  })
  afterAll(() => Promise.all(servers.map((server) => server.close())))

  const open = () => openRedis(servers[0] as RedisServer, { servers })

  describeConversationStore('Redis conversation store', open)

  describe('with many conversations', () => {
    it('spreads live ones over all servers, and keeps previews on one', async () => {
      const redis = await open()
      const store = await redis.open()
      for (let number = 0; number < 60; number++) {
        await store.start({ session: { ...wholeSession, id: `live-${number}` }, results: [] })
        await store.start({ session: { ...smallSession, id: `preview-${number}` }, results: [] })
      }
      const keys = await Promise.all(servers.map(({ client }) => client.keys('s:*')))
      const countOf = (isPreview: boolean) =>
        keys.map((each) => each.filter((key) => key.includes('{preview}') === isPreview).length)
      expect(Math.min(...countOf(false))).toBeGreaterThan(0)
      expect(countOf(true).sort()).toEqual([0, 0, 60])
      redis.close()
    })
  })
})
