import { expect, it } from 'vitest'
import { dueSessions } from '../../../src/stores/postgres/conversations/session-statements.ts'
import { countReads } from '../../support/postgres/count-reads.ts'
import { openPostgresStores } from '../../support/postgres/postgres-conversations.ts'
import {
  describeWithPostgres,
  execute,
  unstorableId,
  useDatabase,
} from '../../support/postgres/postgres-tests.ts'
import { answering, enter, liveSession } from '../contracts/conversation-store.ts'

describeWithPostgres('conversations in PostgreSQL', (serverUrl) => {
  const databaseUrl = useDatabase(serverUrl)

  async function open() {
    const stores = await openPostgresStores(databaseUrl())
    const rowsOf = async (table: string) => (await execute(databaseUrl(), `SELECT * FROM ${table}`)).rows
    return { ...stores, store: stores.open(), rowsOf }
  }

  it('of a later build are refused as something to be tried elsewhere, and left alone', async () => {
    const { store, rowsOf } = await open()
    await store.start({ session: liveSession('s1'), results: [] })
    await execute(databaseUrl(), `UPDATE sessions SET text = replace(text, '[1,', '[99,')`)
    const refusal = { code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('format 99') }
    await expect(store.look('s1')).rejects.toMatchObject(refusal)
    await expect(store.enter({ id: 's1' })).rejects.toMatchObject(refusal)
    expect(await rowsOf('leases')).toEqual([])
  })

  it('leave nothing behind of turns that were committed, refused and released', async () => {
    const { store, rowsOf } = await open()
    for (let number = 0; number < 20; number++)
      await store.start({ session: liveSession(`s${number}`), results: [] })
    const turns = Array.from({ length: 60 }, async (_, number) => {
      const id = `s${number % 20}`
      const { lease, conversation } = await enter(store, id, { key: `k${number}`, fingerprint: 'f' })
      if (number % 3 === 0) await store.release(lease)
      else await store.commit(lease, { ...conversation, results: [] })
    })
    await Promise.all(turns)
    await store.enter({ id: 'none', idempotency: { key: 'k', fingerprint: 'f' } })
    expect([await rowsOf('leases'), await rowsOf('answers')]).toEqual([[], []])
  })

  it.each(['commit', 'release'] as const)(
    'let the next turn in after the %s of one whose lease was lost',
    async (end) => {
      const { store } = await open()
      await store.start({ session: liveSession('s1'), results: [] })
      const { lease, conversation } = await enter(store, 's1')
      const next = enter(store, 's1')
      await execute(databaseUrl(), 'DELETE FROM leases')
      await expect.poll(() => store.isHeld(lease)).toBe(false)
      if (end === 'release') await store.release(lease)
      else expect(await store.commit(lease, { ...conversation, results: [] })).toBeUndefined()
      expect(await next).toMatchObject({ conversation: { revision: 1 } })
    },
  )

  it('are kept one by one where one of those that come together cannot be', async () => {
    const { store, results } = await open()
    const starts = ['s1', unstorableId, 's3'].map((id, index) =>
      store.start({ session: liveSession(id), results: [answering(`r${index}`, 'a')] }),
    )
    const outcomes = await Promise.allSettled(starts)
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect([await store.look('s1'), await store.look('s3')]).toMatchObject([{ revision: 1 }, { revision: 1 }])
    expect(await results.get('flow-1', 'r1')).toBeUndefined()
  })

  it('keep every result of turns of different sessions that come together', async () => {
    const { store, results } = await open()
    const contents = Array.from({ length: 50 }, (_, number) => `${number}`)
    await Promise.all(
      contents.map((content) =>
        store.start({ session: liveSession(`s${content}`), results: [answering('r1', content)] }),
      ),
    )
    const kept = (await results.get('flow-1', 'r1'))?.answers.map(({ content }) => content)
    expect(kept?.sort()).toEqual(contents.sort())
  })

  it('are not read before they are due, however many have timers', async () => {
    await open()
    await execute(
      databaseUrl(),
      `INSERT INTO sessions (id, is_preview, revision, expires, due, has_turns, text)
         SELECT 's' || n, false, 1, service_clock() + 200000, service_clock() + 100000 + n, true, 'text'
         FROM generate_series(1, 20000) n;
       ANALYZE`,
    )
    expect((await countReads(databaseUrl(), { text: dueSessions, values: [32] })).read).toBeLessThan(10)
  })

  it('let no claim of a killed process hold up a request with another body for longer than its answer', async () => {
    const { store, open: more, kill, advance, answerMs, leaseMs } = await open()
    await store.start({ session: liveSession('s1'), results: [] })
    await enter(store, 's1', { key: 'k', fingerprint: 'f' })
    kill(store)
    const other = more()
    await advance(leaseMs * 1.5)
    const different = { id: 's1', idempotency: { key: 'k', fingerprint: 'g' } }
    expect(await other.enter(different)).toEqual({ state: 'other request' })
    await other.look('s1')
    await advance(answerMs)
    expect(await other.enter(different)).toMatchObject({ state: 'entered' })
    await other.close()
  })
})
