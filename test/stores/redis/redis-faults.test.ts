import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { checkServer } from '../../../src/stores/redis/connection/server-check.ts'
import { createRequestCounts } from '../../../src/stores/redis/request-counts.ts'
import { defineScript } from '../../../src/stores/redis/scripts/define-script.ts'
import { outboxScript } from '../../../src/stores/redis/scripts/upkeep-scripts.ts'
import { startCuttingProxy } from '../../support/cutting-proxy.ts'
import { type RedisServer, startRedisServer } from '../../support/redis-server.ts'
import { describeWithRedis } from '../../support/redis-tests.ts'
import { enter, liveSession, smallSession } from '../contracts/conversation-store.ts'
import { openRedis } from './redis-store.ts'

/** What writes, as turns do. */
const writeScript = defineScript([], `return redis.call('SET', KEYS[1], '', 'PX', 1)`)

const unavailable = { name: 'ServiceError', code: 'SERVICE_UNAVAILABLE' }

describeWithRedis('a Redis server that fails', () => {
  let server: RedisServer
  beforeEach(async () => {
    server = await startRedisServer()
  })
  afterEach(() => server.close())

  async function holding(changed: Parameters<typeof openRedis>[1] = {}, url = server.url) {
    const redis = await openRedis({ client: server.client, url }, changed)
    const store = await redis.open()
    const other = await redis.open()
    onTestFinished(() => redis.close())
    await store.start({ session: liveSession('s1'), results: [] })
    return { ...redis, store, other }
  }

  it('is a refusal that says so while it is away, and loses nothing that was acknowledged', async () => {
    const logs: string[] = []
    const note = (_: object, message: string) => void logs.push(message)
    const { store, connection } = await holding({ report: { error: note, warn: note, info: note } })
    const { problem, problems } = connection.health
    expect(problem()).toBeUndefined()
    await server.kill()
    await expect(Promise.resolve(store.look('s1'))).rejects.toMatchObject(unavailable)
    await expect(Promise.resolve(store.enter({ id: 's1' }))).rejects.toMatchObject(unavailable)
    expect(await problems()).toEqual(["Redis can't be used"])
    await server.restart()
    await expect.poll(problems).toEqual([])
    await expect
      .poll(async () => (await Promise.resolve(store.look('s1')).catch(() => undefined))?.revision)
      .toBe(1)
    expect(problem()).toBeUndefined()
    // Once each by the two connections that were used.
    const [again, not] = ['Redis can be used again', "Redis can't be used"]
    expect(logs.filter((line) => line.startsWith('Redis can')).sort()).toEqual([again, again, not, not])
  })

  it.each([
    ['is full', ['maxmemory', '1'], ['maxmemory', '0'], 'OOM'],
    ['follows another one', ['replicaof', '127.0.0.1 1'], ['replicaof', 'no one'], 'READONLY'],
    ['has too few replicas', ['min-replicas-to-write', '1'], ['min-replicas-to-write', '0'], 'NOREPLICAS'],
  ] as const)(
    'that %s is not ready before any turn was refused, whatever is read meanwhile, and is logged once',
    async (_what, [name, bad], [mended, good], cause) => {
      const lines: object[] = []
      const note = (details: object, message: string) => void lines.push({ message, ...details })
      const { connection } = await holding({ report: { error: note, warn: () => undefined, info: note } })
      const { problems } = connection.health
      lines.length = 0
      const set = (setting: string, value: string) => {
        const [host = '', port = ''] = value.split(' ')
        return setting === 'replicaof'
          ? server.client.replicaof(host, port)
          : server.client.config('SET', setting, value)
      }
      await set(name, bad)
      expect(await problems()).toEqual(["Redis can't be used"])
      for (let nth = 0; nth < 3; nth++) {
        expect(await connection.run(outboxScript, ['r:{0}:none'], [])).toEqual([])
        await expect(connection.run(writeScript, ['s:{0}:none'], [])).rejects.toMatchObject({
          ...unavailable,
          message: "Redis can't be used",
        })
        expect(await problems()).toEqual(["Redis can't be used"])
      }
      await set(mended, good)
      expect(await problems()).toEqual([])
      expect(lines).toMatchObject([
        { message: "Redis can't be used", reason: expect.stringContaining(cause) },
        { message: 'Redis can be used again' },
      ])
    },
  )

  it('has what was held given back once it is there again, long before it would have run out', async () => {
    const { store, other } = await holding({ leaseMs: 300_000, answerMs: 300_000 })
    const turn = { id: 's1', idempotency: { key: 'k', fingerprint: 'f' } }
    const { lease } = await enter(store, turn.id, turn.idempotency)
    await server.kill()
    await store.release(lease)
    await server.restart()
    const enterOther = () => Promise.resolve(other.enter(turn)).catch(() => ({ state: 'away' }))
    await expect.poll(async () => (await enterOther()).state).toBe('entered')
  })

  it('keeps no request waiting while it does not answer', async () => {
    const { store } = await holding()
    process.kill(server.pid, 'SIGSTOP')
    try {
      await expect(Promise.resolve(store.look('s1'))).rejects.toMatchObject(unavailable)
    } finally {
      process.kill(server.pid, 'SIGCONT')
    }
    await expect
      .poll(async () => (await Promise.resolve(store.look('s1')).catch(() => undefined))?.revision)
      .toBe(1)
  })

  it('keeps no request waiting to be counted for as long as a turn waits', async () => {
    const { connection } = await holding()
    const counts = createRequestCounts(connection)
    counts.defineCommand('countOne', { lua: `return redis.call('INCR', KEYS[1])`, numberOfKeys: 1 })
    const countOne = () =>
      new Promise((resolve) =>
        (counts['countOne'] as (key: string, done: (error: Error | null, reply: unknown) => void) => void)(
          'n',
          (error, reply) => resolve(error?.message ?? reply),
        ),
      )
    expect(await countOne()).toBe(1)
    process.kill(server.pid, 'SIGSTOP')
    try {
      const call = connection.health.problems()
      expect(await Promise.race([call, countOne()])).toBe('It was not counted in time')
      await call
      expect(await countOne()).toBe("Redis can't be used")
    } finally {
      process.kill(server.pid, 'SIGCONT')
    }
  })

  it('leaves no conversation behind that is held when it did not answer to a turn', async () => {
    const { store, other } = await holding({ leaseMs: 300_000, answerMs: 300_000 })
    process.kill(server.pid, 'SIGSTOP')
    const turn = { id: 's1', idempotency: { key: 'k', fingerprint: 'f' } }
    try {
      await expect(Promise.resolve(store.enter(turn))).rejects.toMatchObject(unavailable)
    } finally {
      process.kill(server.pid, 'SIGCONT')
    }
    // What it was let in with is given back a moment later.
    await expect.poll(async () => (await other.enter(turn)).state).toBe('entered')
  })

  it('may forget the scripts', async () => {
    const { store } = await holding()
    await server.client.script('FLUSH')
    const { lease, conversation } = await enter(store, 's1')
    await server.client.script('FLUSH')
    expect(await store.commit(lease, { ...conversation, results: [] })).toBe(2)
  })

  it('commits a turn once whose acknowledgement was lost', async () => {
    const proxy = await startCuttingProxy(server.port)
    onTestFinished(() => proxy.close())
    const { store } = await holding({}, `redis://127.0.0.1:${proxy.port}`)
    const { lease } = await enter(store, 's1', { key: 'k', fingerprint: 'f' })
    proxy.cutAfter('"a-certain-answer"')
    const turn = { session: liveSession('s1', { answered: 1 }), results: [], answer: '"a-certain-answer"' }
    expect(await store.commit(lease, turn)).toBe(2)
    expect(await store.look('s1')).toMatchObject({ revision: 2, session: { answered: 1 } })
    const again = await store.enter({ id: 's1', idempotency: { key: 'k', fingerprint: 'f' } })
    expect(again).toEqual({ state: 'answered', answer: turn.answer })
  })

  it('lets turns go on and wakes those that wait for updates after its channels were cut', async () => {
    const { store, other } = await holding()
    const { lease, conversation } = await enter(store, 's1')
    const next = enter(other, 's1')
    let woken = 0
    const end = await other.subscribe('s1', () => {
      woken += 1
    })
    onTestFinished(() => end())
    await server.client.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
    await store.commit(lease, { ...conversation, results: [] })
    expect((await next).conversation.revision).toBe(2)
    await expect.poll(() => woken).toBeGreaterThan(0)
  })

  it('refuses what needs room when it is full, and still erases', async () => {
    const { store } = await holding()
    await server.client.config('SET', 'maxmemory', '1')
    const start = store.start({ session: liveSession('s2'), results: [] })
    await expect(Promise.resolve(start)).rejects.toMatchObject(unavailable)
    expect((await store.look('s1'))?.revision).toBe(1)
    await store.erase('s1')
    expect(await store.look('s1')).toBeUndefined()
    await server.client.config('SET', 'maxmemory', '0')
    await store.start({ session: liveSession('s2'), results: [] })
    expect((await store.look('s2'))?.revision).toBe(1)
  })

  it('is warned about when it drops what it holds', async () => {
    await server.client.config('SET', 'maxmemory-policy', 'allkeys-lru', 'appendonly', 'no')
    const warnings: string[] = []
    const warn = (_: object, message: string) => void warnings.push(message)
    await holding({ report: { error: () => undefined, warn, info: () => undefined } })
    expect(warnings).toContainEqual(expect.stringMatching(/maxmemory-policy is allkeys-lru.*noeviction/))
    expect(warnings).toContainEqual(expect.stringMatching(/appendonly/))
  })

  it('is quoted at the start where it lets nobody in', async () => {
    const denied = createServer((socket) => {
      socket.on('error', () => undefined).write('-DENIED Redis is running in protected mode\r\n')
      socket.destroySoon()
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void denied.close())
    await once(denied, 'listening')
    const { port } = denied.address() as AddressInfo
    const opening = openRedis({ client: server.client, url: `redis://127.0.0.1:${port}` })
    await expect(opening).rejects.toThrow(
      /^REDIS_URL can't be used: DENIED Redis is running in protected mode$/,
    )
  })

  it('is refused at the start where nothing listens', async () => {
    await server.kill()
    await expect(
      openRedis({ client: { flushall: () => undefined } as never, url: server.url }).then((redis) => redis),
    ).rejects.toThrow(/^REDIS_URL can't be used: .*ECONNREFUSED/)
  })
})

describe('a Redis server', () => {
  const serverThatSays = (info: string) => ({ info: async () => info })

  it.each([
    ['redis_version:6.2.14\r\n', 'Redis 6.2.14 is too old'],
    ['server_name:valkey\r\nvalkey_version:5.0.0\r\nredis_version:7.2.4\r\n', 'Valkey 5.0.0 is too old'],
    ['# Server\r\n', 'too old'],
  ])('is refused by its version: %j', async (info, message) => {
    await expect(checkServer(serverThatSays(info))).rejects.toThrow(message)
  })

  it('is named by its version', async () => {
    const info = '# Server\r\nredis_version:7.2.4\r\nvalkey_version:8.0.1\r\ncluster_enabled:1\r\n'
    expect(await checkServer(serverThatSays(info))).toMatchObject({ name: 'Valkey 8.0.1', isCluster: true })
  })
})

describeWithRedis('previews in Redis', () => {
  it('are bounded over all processes: the oldest goes, and no live one', async () => {
    const server = await startRedisServer()
    onTestFinished(() => server.close())
    const { open, close, advance } = await openRedis(server, { previewMaxBytes: 1000 })
    onTestFinished(() => close())
    const processes = [await open(), await open()] as const
    await processes[0].start({ session: liveSession('s1', { transcript: ['x'.repeat(5000)] }), results: [] })
    for (let nth = 0; nth < 6; nth++) {
      const session = { ...smallSession, id: `p${nth}`, transcript: ['x'.repeat(300)] }
      await processes[nth % 2 === 0 ? 0 : 1].start({ session, results: [] })
      await advance(5)
    }
    const there = await Promise.all(
      [0, 1, 2, 3, 4, 5].map(async (nth) => (await processes[0].look(`p${nth}`)) !== undefined),
    )
    expect(there).toEqual([false, false, false, false, true, true])
    expect(await processes[1].whyMissing('p0')).toBe('expired')
    expect((await processes[1].look('s1'))?.revision).toBe(1)
    expect((await processes[1].usage()).previews).toMatchObject({ entries: 2, evicted: 4 })
    const whole = { ...smallSession, id: 'p9', transcript: ['x'.repeat(2000)] }
    await expect(Promise.resolve(processes[0].start({ session: whole, results: [] }))).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
    })
  })
})
