import { expect, it } from 'vitest'
import { createMemoryDefinitionStore } from '../../../src/stores/memory/memory-definition-store.ts'
import { createPostgresCountStore } from '../../../src/stores/postgres/counts/postgres-count-store.ts'
import { createPostgresDefinitionStore } from '../../../src/stores/postgres/postgres-definition-store.ts'
import { PostgresSweeper } from '../../../src/stores/postgres/upkeep/postgres-sweeper.ts'
import { inboxBounds, outboxBounds } from '../../support/memory-outbox.ts'
import { openPostgresStores } from '../../support/postgres/postgres-conversations.ts'
import { describeWithPostgres, execute, useDatabase } from '../../support/postgres/postgres-tests.ts'
import { liveSession } from '../contracts/conversation-store.ts'
import { describeDefinitionStore } from '../contracts/definition-store.ts'

const megabyte = 1024 * 1024
const day = 24 * 60 * 60 * 1000

describeWithPostgres('definitions in PostgreSQL', (serverUrl) => {
  const databaseUrl = useDatabase(serverUrl)

  async function open({ draftMaxBytes = megabyte } = {}) {
    const stores = await openPostgresStores(databaseUrl())
    const { database } = stores
    const openDefinitions = () =>
      createPostgresDefinitionStore({
        database,
        memory: createMemoryDefinitionStore({ maxBytes: megabyte, draftMaxBytes: megabyte }),
        draftMaxBytes,
      })
    const sweeper = new PostgresSweeper({
      database,
      bounds: {
        sessionTtlMs: stores.ttlMs,
        maxSessions: 100,
        previewMaxBytes: megabyte,
        maxAnswerBytes: megabyte,
        resultTtlMs: undefined,
        outbox: outboxBounds,
        inbox: inboxBounds,
      },
      timers: { after: () => undefined },
      counts: createPostgresCountStore(database),
      alongside: async () => undefined,
      report: () => undefined,
    })
    return { ...stores, openDefinitions, sweeper }
  }

  describeDefinitionStore('definition store', async () => (await open()).openDefinitions())

  it('are found by every process', async () => {
    const { openDefinitions } = await open()
    await openDefinitions().put('h1', '{"a":"Ω 🙂"}')
    expect(await openDefinitions().get('h1')).toBe('{"a":"Ω 🙂"}')
  })

  it('of drafts make room for the latest, and published ones never do', async () => {
    const { openDefinitions } = await open({ draftMaxBytes: 250 })
    const one = openDefinitions()
    await one.retain([{ hash: 'published', text: 'p'.repeat(200) }])
    for (const name of ['a', 'b', 'c', 'd']) {
      await one.put(name, name.repeat(100))
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    const other = openDefinitions()
    expect(await other.get('published')).toBeDefined()
    expect([await other.get('a'), await other.get('b')]).toEqual([undefined, undefined])
    expect([await other.get('c'), await other.get('d')]).toEqual(['c'.repeat(100), 'd'.repeat(100)])
  })

  it('go when no process uses them and no session names them', async () => {
    const { openDefinitions, open: openConversations, sweeper, advance } = await open()
    const definitions = openDefinitions()
    for (const hash of ['named-hash', 'unnamed-hash', 'used-hash']) await definitions.put(hash, 'text')
    await definitions.retain([{ hash: 'used-hash', text: 'text' }])
    const entry = { program: 'named-hash', flowId: 'flow-1', variables: [], answers: [] }
    const session = liveSession('s1', { queue: [entry] })
    await openConversations().start({ session, results: [] })
    await advance(day)
    const next = openDefinitions()
    await next.retain([{ hash: 'used-hash', text: 'text' }])
    await sweeper.sweepDefinitions()
    const { rows } = await execute(databaseUrl(), 'SELECT hash FROM definitions ORDER BY hash')
    expect(rows).toEqual([{ hash: 'named-hash' }, { hash: 'used-hash' }])
  })

  it('that a process publishes are noted as used for as long as it does', async () => {
    const { openDefinitions, sweeper } = await open()
    const definitions = openDefinitions()
    await definitions.retain([{ hash: 'h1', text: 'text' }])
    await execute(databaseUrl(), 'DELETE FROM definitions')
    const restarted = openDefinitions()
    await restarted.put('h2', 'text')
    await execute(databaseUrl(), 'UPDATE definitions SET used_at = 0')
    await restarted.retain([{ hash: 'h2', text: 'text' }])
    await restarted.noteUses()
    await sweeper.sweepDefinitions()
    expect(await openDefinitions().get('h2')).toBe('text')
  })

  it('are kept for all as soon as the database is back', async () => {
    const { database, openDefinitions } = await open()
    let isAway = true
    const query: typeof database.query = (...given) =>
      isAway ? Promise.reject(new Error('away')) : database.query(...given)
    const definitions = createPostgresDefinitionStore({
      database: { ...database, query },
      memory: createMemoryDefinitionStore({ maxBytes: megabyte, draftMaxBytes: megabyte }),
      draftMaxBytes: megabyte,
    })
    await definitions.retain([{ hash: 'h3', text: 'text' }])
    expect(await definitions.get('h3')).toBe('text')
    expect(await openDefinitions().get('h3')).toBeUndefined()
    isAway = false
    await definitions.noteUses()
    expect(await openDefinitions().get('h3')).toBe('text')
  })
})
