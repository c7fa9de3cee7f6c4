import { expect, it } from 'vitest'
import {
  createPostgresSweeper,
  type PostgresBounds,
} from '../../../src/stores/postgres/upkeep/postgres-sweeper.ts'
import type { Session } from '../../../src/stores/session.ts'
import { openPostgresStores, ttlMs } from '../../support/postgres/postgres-conversations.ts'
import { describeWithPostgres, execute, useDatabase } from '../../support/postgres/postgres-tests.ts'
import { answering, enter, liveSession, smallSession } from '../contracts/conversation-store.ts'

const megabyte = 1024 * 1024

describeWithPostgres('what is past its time or its bound', (serverUrl) => {
  const databaseUrl = useDatabase(serverUrl)

  async function open(bounds: Partial<PostgresBounds> = {}) {
    const stores = await openPostgresStores(databaseUrl())
    const sweeper = createPostgresSweeper({
      database: stores.database,
      bounds: {
        sessionTtlMs: ttlMs,
        maxSessions: 100,
        previewMaxBytes: megabyte,
        maxAnswerBytes: megabyte,
        resultTtlMs: undefined,
        ...bounds,
      },
      timers: { after: () => undefined },
      alongside: async () => undefined,
      report: () => undefined,
    })
    const store = stores.open()
    const start = async (session: Session) => {
      await store.start({ session, results: [] })
      await stores.advance(10)
    }
    const count = async (table: string) => {
      const { rows } = await execute(databaseUrl(), `SELECT count(*)::integer AS count FROM ${table}`)
      return rows[0].count as number
    }
    return { ...stores, store, start, sweep: sweeper.sweep, count }
  }

  it('goes, and is remembered as expired for another time to live', async () => {
    const { store, start, sweep, advance, count } = await open()
    await start(liveSession('s1'))
    await start({ ...smallSession, id: 'p1' })
    await advance(ttlMs * 1.1)
    await start(liveSession('s2'))
    await sweep()
    expect(await count('sessions')).toBe(1)
    expect([await store.whyMissing('s1'), await store.whyMissing('p1')]).toEqual(['expired', 'expired'])
    await advance(ttlMs)
    await sweep()
    expect(await store.whyMissing('s1')).toBe('unknown')
  })

  it('goes with all that ended processes have left', async () => {
    const { store, open: more, start, sweep, advance, kill, count } = await open()
    await start(liveSession('s1'))
    await enter(store, 's1', { key: 'k', fingerprint: 'f' })
    const other = more()
    const waiting = Promise.resolve(other.enter({ id: 's1' })).catch(() => undefined)
    await expect.poll(() => count('waiting')).toBe(1)
    kill(store)
    kill(other)
    await advance(ttlMs * 2)
    await sweep()
    expect([await count('leases'), await count('waiting'), await count('answers')]).toEqual([0, 0, 0])
    await other.close()
    await waiting
  })

  it('makes room for later previews, and never for them where it is live', async () => {
    const { store, start, sweep } = await open({ previewMaxBytes: 3000 })
    await start(liveSession('live'))
    for (let number = 0; number < 12; number++) await start({ ...smallSession, id: `p${number}` })
    await sweep()
    expect(await store.look('live')).toBeDefined()
    expect(await store.look('p0')).toBeUndefined()
    expect(await store.whyMissing('p0')).toBe('expired')
    expect(await store.look('p11')).toBeDefined()
    const { previews } = await store.usage()
    expect(previews.entries).toBeGreaterThan(4)
    expect(previews.entries).toBeLessThan(10)
  })

  it('is first what was only started, where there are too many sessions', async () => {
    const { store, start, sweep } = await open({ maxSessions: 8 })
    await start(liveSession('answered'))
    const { lease, conversation } = await enter(store, 'answered')
    await store.commit(lease, { ...conversation, results: [] })
    for (let number = 0; number < 9; number++) await start(liveSession(`s${number}`))
    await sweep()
    const found = await Promise.all(['answered', 's0', 's1', 's2', 's8'].map((id) => store.look(id)))
    expect(found.map((conversation) => conversation !== undefined)).toEqual([true, false, false, true, true])
  })

  it('is the first of the answers, where they are too many', async () => {
    const { store, start, sweep, advance } = await open({ maxAnswerBytes: 250 })
    await start(liveSession('s1'))
    for (const key of ['a', 'b', 'c']) {
      const { lease, conversation } = await enter(store, 's1', { key, fingerprint: 'f' })
      await store.commit(lease, { ...conversation, results: [], answer: key.repeat(100) })
      await advance(10)
    }
    await sweep()
    const again = (key: string) => store.enter({ id: 's1', idempotency: { key, fingerprint: 'f' } })
    expect(await again('c')).toMatchObject({ state: 'answered' })
    expect(await again('b')).toMatchObject({ state: 'answered' })
    expect(await again('a')).toMatchObject({ state: 'entered' })
  })

  it('takes its results with all their lines', async () => {
    const { store, results, sweep, count } = await open({ resultTtlMs: 24 * 60 * 60 * 1000 })
    const recent = answering('r2', 'b', { now: Date.now() })
    const change = { ...answering('r1', 'a'), now: Date.now() - 3 * 24 * 60 * 60 * 1000 }
    await store.start({ session: liveSession('s1'), results: [change, recent] })
    await sweep()
    expect(await results.get('flow-1', 'r1')).toBeUndefined()
    expect(await results.get('flow-1', 'r2')).toBeDefined()
    expect(await count('result_turns')).toBe(1)
  })
})
