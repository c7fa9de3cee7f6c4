import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import type { ResultSink } from '../../../src/stores/redis/outbox/result-sink.ts'
import type { ResultStore } from '../../../src/stores/result-store.ts'
import { type RedisServer, startRedisServer } from '../../support/redis-server.ts'
import { describeWithRedis } from '../../support/redis-tests.ts'
import { answering, enter, liveSession } from '../contracts/conversation-store.ts'
import { openRedis } from './redis-store.ts'
import { shiftTime } from './shift-time.ts'

describeWithRedis('the outbox in Redis', () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedisServer()
  })
  afterAll(() => server.close())

  /** Two processes on a database that can be taken away. */
  async function open(failing: () => Promise<void> = () => Promise.reject(new Error('no database'))) {
    const database = { isAway: false }
    const sink = (inMemory: ResultSink): ResultSink => ({
      ...inMemory,
      write: async (turns) => {
        if (database.isAway && turns.length > 0) await failing()
        return inMemory.write(turns)
      },
    })
    const redis = await openRedis(server, { sink })
    const store = await redis.open()
    const other = await redis.open()
    onTestFinished(async () => {
      await store.close()
      await other.close()
      redis.close()
    })
    const contentsOf = async (results: ResultStore, id = 'r1') =>
      (await results.get('flow-1', id))?.answers.map(({ content }) => content)
    const leftInRedis = async () => {
      const keys = await server.client.keys('*')
      return keys.filter((key) => /^[rop]:/.test(key))
    }
    return { ...redis, store, other, database, contentsOf, leftInRedis }
  }

  const start = (content: string) => ({ session: liveSession('s1'), results: [answering('r1', content)] })

  it('is empty once the results of a turn are written', async () => {
    const { store, kept, contentsOf, leftInRedis } = await open()
    await store.start(start('a'))
    expect(await contentsOf(kept)).toEqual(['a'])
    await expect.poll(leftInRedis).toEqual([])
  })

  it('leaves what is written where Redis has lost the turn, and adds the turn in its place', async () => {
    const { store, kept, contentsOf } = await open()
    const say = async (content: string) => {
      const { lease, conversation } = await enter(store, 's1')
      await store.commit(lease, { ...conversation, results: [answering('r1', content)] })
    }
    await store.start(start('a'))
    const [key] = (await server.client.keys('s:*')) as [string]
    const backup = await server.client.dumpBuffer(key)
    await say('b')
    await server.client.restore(key, 0, backup, 'REPLACE')
    await say('c')
    expect(await contentsOf(kept)).toEqual(['a', 'b', 'c'])
  })

  it('keeps what the database does not take, and the turn is committed all the same', async () => {
    const { store, other, kept, database, contentsOf } = await open()
    database.isAway = true
    await store.start(start('a'))
    const { lease, conversation } = await enter(store, 's1')
    expect(await store.commit(lease, { ...conversation, results: [answering('r1', 'b')] })).toBe(2)
    expect((await other.look('s1'))?.revision).toBe(2)
    expect(await contentsOf(kept)).toBeUndefined()
  })

  it('is written before a result is read, in the order of the turns, and only once', async () => {
    const { store, results, outbox, database, contentsOf, leftInRedis } = await open()
    database.isAway = true
    await store.start(start('a'))
    for (const content of ['b', 'c']) {
      const { lease, conversation } = await enter(store, 's1')
      await store.commit(lease, { ...conversation, results: [answering('r1', content)] })
    }
    database.isAway = false
    expect(await contentsOf(results)).toEqual(['a', 'b', 'c'])
    await outbox.drainAll()
    expect(await contentsOf(results)).toEqual(['a', 'b', 'c'])
    expect(await leftInRedis()).toEqual([])
  })

  it('is written in the order of the turns when the database comes back between them', async () => {
    const { store, other, kept, database, contentsOf, leftInRedis } = await open()
    await store.start(start('a'))
    const first = await enter(store, 's1')
    database.isAway = true
    await store.commit(first.lease, { ...first.conversation, results: [answering('r1', 'b')] })
    const second = await enter(other, 's1')
    database.isAway = false
    await other.commit(second.lease, { ...second.conversation, results: [answering('r1', 'c')] })
    expect(await contentsOf(kept)).toEqual(['a', 'b', 'c'])
    await expect.poll(leftInRedis).toEqual([])
  })

  it('is written before results are listed', async () => {
    const { store, results, database } = await open()
    database.isAway = true
    await store.start(start('a'))
    database.isAway = false
    expect((await results.list('flow-1', { limit: 10 })).results.map(({ id }) => id)).toEqual(['r1'])
  })

  it('is written by the next turn of the conversation', async () => {
    const { store, other, kept, database, contentsOf } = await open()
    database.isAway = true
    await store.start(start('a'))
    database.isAway = false
    const { lease, conversation } = await enter(other, 's1')
    await other.commit(lease, { ...conversation, results: [answering('r1', 'b')] })
    expect(await contentsOf(kept)).toEqual(['a', 'b'])
  })

  it('is written by others for a process that ended on the way, once that is overdue', async () => {
    const { store, kept, outbox, database, contentsOf } = await open(() => new Promise(() => undefined))
    database.isAway = true
    await store.start(start('a'))
    database.isAway = false
    await outbox.drainOverdue()
    expect(await contentsOf(kept)).toBeUndefined()
    await shiftTime(server.client, 5000)
    await outbox.drainOverdue()
    expect(await contentsOf(kept)).toEqual(['a'])
  })

  it('brings no result back that was erased', async () => {
    const { store, kept, results, database, contentsOf } = await open()
    await store.start(start('a'))
    database.isAway = true
    const { lease, conversation } = await enter(store, 's1')
    await store.commit(lease, { ...conversation, results: [answering('r1', 'b')] })
    database.isAway = false
    expect(await results.delete('flow-1', ['r1'])).toHaveLength(1)
    expect(await contentsOf(kept)).toBeUndefined()
    expect(await contentsOf(results)).toBeUndefined()
  })

  it('outlives the erasure of its session', async () => {
    const { store, other, results, database, contentsOf } = await open()
    database.isAway = true
    await store.start(start('a'))
    await other.erase('s1')
    database.isAway = false
    expect(await contentsOf(results)).toEqual(['a'])
  })

  it('holds nothing of a turn that was not committed', async () => {
    const { store, results, contentsOf, leftInRedis } = await open()
    await store.start(start('a'))
    const { lease } = await enter(store, 's1')
    await store.release(lease)
    await store.commit(lease, start('b'))
    expect(await contentsOf(results)).toEqual(['a'])
    await expect.poll(leftInRedis).toEqual([])
  })
})
