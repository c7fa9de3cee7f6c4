import { expect, it, onTestFinished, vi } from 'vitest'
import type { Session } from '../../../src/sessions/session.ts'
import { createPostgresCountStore } from '../../../src/stores/postgres/counts/postgres-count-store.ts'
import type { PostgresDatabase } from '../../../src/stores/postgres/postgres-database.ts'
import { createRequestCounts } from '../../../src/stores/postgres/request-counts.ts'
import { type PostgresBounds, PostgresSweeper } from '../../../src/stores/postgres/upkeep/postgres-sweeper.ts'
import {
  dropSessions,
  findSurplusSessions,
  stepRows,
} from '../../../src/stores/postgres/upkeep/sweep-statements.ts'
import type { Timers } from '../../../src/stores/timers.ts'
import { inboxBounds, outboxBounds } from '../../support/memory-outbox.ts'
import { countReads, type RunStatement } from '../../support/postgres/count-reads.ts'
import { openPostgresStores, ttlMs } from '../../support/postgres/postgres-conversations.ts'
import { describeWithPostgres, execute, useDatabase } from '../../support/postgres/postgres-tests.ts'
import { answering, enter, liveSession, smallSession } from '../contracts/conversation-store.ts'

const megabyte = 1024 * 1024

function sweeperOf(
  database: Pick<PostgresDatabase, 'query' | 'transaction'>,
  { timers = { after: () => undefined }, ...bounds }: Partial<PostgresBounds> & { timers?: Timers },
) {
  return new PostgresSweeper({
    database,
    bounds: {
      sessionTtlMs: ttlMs,
      maxSessions: 100,
      previewMaxBytes: megabyte,
      maxAnswerBytes: megabyte,
      resultTtlMs: undefined,
      outbox: outboxBounds,
      inbox: inboxBounds,
      ...bounds,
    },
    timers,
    counts: createPostgresCountStore(database),
    alongside: async () => undefined,
    report: () => undefined,
  })
}

describeWithPostgres('what is past its time or its bound', (serverUrl) => {
  const databaseUrl = useDatabase(serverUrl)

  async function open(bounds: Partial<PostgresBounds> = {}) {
    const stores = await openPostgresStores(databaseUrl())
    const sweeper = sweeperOf(stores.database, bounds)
    const store = stores.open()
    const start = async (session: Session) => {
      await store.start({ session, results: [] })
      await stores.advance(10)
    }
    const count = async (table: string) => {
      const { rows } = await execute(databaseUrl(), `SELECT count(*)::integer AS count FROM ${table}`)
      return rows[0].count as number
    }
    const sweep = async () => {
      await sweeper.sweep()
      await sweeper.makeRoom()
    }
    return { ...stores, store, start, sweeper, sweep, count }
  }

  it('takes contacts of the age of results along, with what links to them, and traces of erased ones', async () => {
    const { store, contacts, sweep, advance, count } = await open({ resultTtlMs: 30 * dayMs })
    for (const key of ['ann', 'bob']) {
      const { readAt } = await contacts.find(key)
      const contact = { key, readAt, profile: '{}', links: [{ flowId: 'f', resultId: key }] }
      await store.start({ session: liveSession(key), results: [], contact })
    }
    await contacts.erase('bob')
    await sweep()
    expect([await count('contacts'), await count('contact_links')]).toEqual([2, 2])
    await advance(8 * dayMs)
    await sweep()
    expect([await count('contacts'), await count('contact_links')]).toEqual([1, 1])
    await advance(23 * dayMs)
    await sweep()
    expect([await count('contacts'), await count('contact_links')]).toEqual([0, 0])
  })

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

  it('stays where its timer came due while every process was away, for 30 days, and lives anew', async () => {
    const { store, sweep, advance, count } = await open()
    const timers = [{ type: 'idle' as const, eventId: 'e1', due: Date.now() + 1000 }]
    await store.start({ session: liveSession('s1', { timers }), results: [] })
    await store.start({ session: liveSession('s2'), results: [] })
    await advance(29 * dayMs)
    expect(await store.due(10)).toEqual([])
    await sweep()
    expect(await store.due(10)).toEqual([{ id: 's1', revision: 1 }])
    expect(await store.whyMissing('s2')).toBe('unknown')
    await advance(2 * dayMs)
    await sweep()
    expect(await count('sessions')).toBe(0)
  })

  it('goes with all that ended processes have left', async () => {
    const { store, open: more, start, sweep, advance, kill, count } = await open()
    await start(liveSession('s1'))
    await enter(store, 's1', { key: 'k', fingerprint: 'f' })
    const other = more()
    const request = { id: 's1', idempotency: { key: 'k2', fingerprint: 'f' } }
    const waiting = Promise.resolve(other.enter(request)).catch(() => undefined)
    await expect.poll(() => count('answers')).toBe(2)
    kill(store)
    kill(other)
    await advance(ttlMs * 2)
    await sweep()
    expect([await count('leases'), await count('answers')]).toEqual([0, 0])
    await other.close()
    await waiting
  })

  it('goes with the addresses that asked', async () => {
    const { database, sweep, advance, count } = await open()
    const { add } = createRequestCounts(database)
    await add(new Map([['192.0.2.1', 1]]), 1000)
    await advance(2000)
    await add(new Map([['192.0.2.2', 1]]), 1000)
    await sweep()
    expect(await count('request_counts')).toBe(1)
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
    expect(await again('a')).toEqual({ state: 'answered', answer: '' })
  })

  it('takes its results with all their lines', async () => {
    const { store, results, sweep, advance, count } = await open({ resultTtlMs: dayMs })
    await store.start({ session: liveSession('s1'), results: [answering('r1', 'a')] })
    await advance(1.5 * dayMs)
    await store.start({ session: liveSession('s2'), results: [answering('r2', 'b')] })
    await sweep()
    expect(await results.get('flow-1', 'r1')).toBeUndefined()
    expect(await results.get('flow-1', 'r2')).toBeDefined()
    expect(await count('result_turns')).toBe(1)
  })

  it('is not what a process with a wrong clock takes for old, nor kept for one that was behind', async () => {
    const { store, results, sweep, advance } = await open({ resultTtlMs: dayMs })
    const behind = answering('r1', 'a', { now: Date.now() - 9 * dayMs })
    const ahead = answering('r2', 'b', { now: Date.now() + 9 * dayMs })
    await store.start({ session: liveSession('s1'), results: [behind, ahead] })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * dayMs })
    onTestFinished(() => void vi.useRealTimers())
    await sweep()
    expect(await results.get('flow-1', 'r1')).toBeDefined()
    expect(await results.get('flow-1', 'r2')).toBeDefined()
    await advance(1.5 * dayMs)
    await sweep()
    expect(await results.get('flow-1', 'r1')).toBeUndefined()
    expect(await results.get('flow-1', 'r2')).toBeUndefined()
  })

  it('is looked for as often as ever however long it took to erase, and counted more rarely the longer that takes', async () => {
    const { database } = await open()
    const ticks: (() => void)[] = []
    const transaction: PostgresDatabase['transaction'] = async (work) => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      return await database.transaction(work)
    }
    sweeperOf({ ...database, transaction }, { timers: { after: (_ms, run) => void ticks.push(run) } })
    ticks[0]?.()
    await expect.poll(() => ticks.length).toBe(2)
    const { rows } = await execute(
      databaseUrl(),
      `SELECT name, due - service_clock() > 10000 AS rests FROM chores ORDER BY name`,
    )
    expect(rows).toEqual([
      { name: 'count', rests: false },
      { name: 'make room', rests: true },
      { name: 'sweep', rests: false },
      { name: 'sweep definitions', rests: true },
    ])
  })

  it('is all that a sweep reads', async () => {
    const { database } = await open()
    await fill(databaseUrl())
    const statements = recordStatements(database)
    const sweeper = sweeperOf(statements.database, { resultTtlMs: dayMs, maxSessions: rows - 3 })
    await sweeper.sweep()
    await sweeper.count()
    const reads = await Promise.all(statements.run.map((each) => countReads(databaseUrl(), each)))
    expect(statements.run.length).toBeGreaterThan(8)
    expect(reads.filter(({ read }) => read > 10)).toEqual([])
    statements.run.length = 0
    await sweeper.makeRoom()
    const surplus = statements.run.filter(({ text }) => [findSurplusSessions, dropSessions].includes(text))
    const surplusReads = await Promise.all(surplus.map((each) => countReads(databaseUrl(), each)))
    expect(surplusReads.length).toBeGreaterThan(3)
    expect(surplusReads.filter(({ read }) => read >= 4 * stepRows)).toEqual([])
  })
})

const dayMs = 24 * 60 * 60 * 1000

const rows = 20_000

/** Fills every table that a sweep looks at with what is not due. */
async function fill(databaseUrl: string): Promise<void> {
  await execute(
    databaseUrl,
    `INSERT INTO sessions (id, is_preview, revision, expires, has_turns, text)
       SELECT 's' || n, false, 1, service_clock() + 100000 + n, n % 2 = 0, 'text' FROM generate_series(1, ${rows}) n;
     INSERT INTO results (flow_id, id, created_at, changed_at, size, room, is_erased)
       SELECT 'f', 'r' || n, 0, service_clock() - CASE WHEN n % 2 = 0 THEN 0 ELSE ${200 * dayMs} END, 0, 0, n % 2 = 1
       FROM generate_series(1, ${rows}) n;
     INSERT INTO answers (name, session_id, fingerprint, deadline, expires, text)
       SELECT 'a' || n, 's' || n, 'f', 0, service_clock() + 100000 + n, 'text' FROM generate_series(1, ${rows}) n;
     INSERT INTO gone_sessions SELECT sha256(('g' || n)::bytea), false, service_clock() + 100000
       FROM generate_series(1, ${rows}) n;
     INSERT INTO counts SELECT 'f', 'v', service_clock() / 3600000, 'shown', 'b' || n, 1
       FROM generate_series(1, ${rows}) n;
     ANALYZE`,
  )
}

/** A database that remembers what was run in its transactions. */
function recordStatements(database: Pick<PostgresDatabase, 'query' | 'transaction'>) {
  const run: RunStatement[] = []
  const transaction: PostgresDatabase['transaction'] = (work) =>
    database.transaction((query) =>
      work((text, values = []) => {
        run.push({ text, values })
        return query(text, values)
      }),
    )
  return { run, database: { ...database, transaction } }
}
