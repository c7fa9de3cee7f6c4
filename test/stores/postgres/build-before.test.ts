import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openPostgresStores } from '../../support/postgres/postgres-conversations.ts'
import { describeWithPostgres, execute, useDatabase } from '../../support/postgres/postgres-tests.ts'
import { answering, enter, smallSession, wholeSession } from '../contracts/conversation-store.ts'

const rows = readFileSync(join(import.meta.dirname, 'build-before.sql'), 'utf8')

/** Without what the build before had no column for. */
const {
  timers: _timers,
  said: _said,
  locale: _locale,
  pause: _pause,
  contact: _contact,
  channel: _channel,
  counted: _counted,
  ...sessionBefore
} = wholeSession

describeWithPostgres('a database of the build before', (serverUrl) => {
  const databaseUrl = useDatabase(serverUrl)

  async function open() {
    const { open: openProcess, results } = await openPostgresStores(databaseUrl())
    await execute(databaseUrl(), rows)
    return { store: openProcess(), results }
  }

  it('has its sessions, payloads and results', async () => {
    const { store, results } = await open()
    expect(await store.look('s1')).toEqual({
      session: sessionBefore,
      revision: 2,
      payload: { number: 1, text: '{"paid":true}' },
    })
    expect(await store.look('s2')).toMatchObject({ session: smallSession, revision: 1 })
    expect(await results.get('flow-1', 'r1')).toMatchObject({
      answers: [{ content: 'first' }, { content: 'second' }],
      logs: [{ description: 'broken' }],
    })
    const { results: found } = await results.list('flow-1', { limit: 5, filter: { text: 'SECOND' } })
    expect(found.map(({ id }) => id)).toEqual(['r1'])
  })

  it('goes on with its sessions and results', async () => {
    const { store, results } = await open()
    const { lease, conversation } = await enter(store, 's1')
    expect(await store.commit(lease, { ...conversation, results: [answering('r1', 'third')] })).toBe(3)
    expect(await store.look('s1')).toEqual({ session: sessionBefore, revision: 3 })
    const contents = (await results.get('flow-1', 'r1'))?.answers.map(({ content }) => content)
    expect(contents).toEqual(['first', 'second', 'third'])
  })

  it('answers what was answered, appends no logs again, and brings back nothing that was erased', async () => {
    const { store, results } = await open()
    const idempotency = { key: 'k1', fingerprint: 'f1' }
    expect(await store.enter({ id: 's1', idempotency })).toEqual({
      state: 'answered',
      answer: '{"said":"Zoë"}',
    })
    const logs = [{ status: 'error' as const, description: 'broken' }]
    const report = { flowId: 'flow-1', resultId: 'r1', key: 'log-1', logs, now: 0 }
    expect(await store.appendClientLogs(report)).toBe(true)
    expect((await results.get('flow-1', 'r1'))?.logs).toHaveLength(1)
    await store.start({ session: { ...wholeSession, id: 'erased' }, results: [] })
    expect(await store.look('erased')).toBeUndefined()
  })

  it('lets nobody into a session where one of its turns is under way, until that is over', async () => {
    const { store } = await open()
    expect(await store.enter({ id: 'running', idempotency: { key: 'k2', fingerprint: 'f2' } })).toEqual({
      state: 'running',
    })
    expect(await store.eraseIdle(['running'])).toEqual(['running'])
    const entering = enter(store, 'running')
    await execute(databaseUrl(), `DELETE FROM leases WHERE token = 'before.3'`)
    const { lease, conversation } = await entering
    expect(await store.commit(lease, { ...conversation, results: [] })).toBe(2)
  })
})
