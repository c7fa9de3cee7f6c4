import { expect, it, onTestFinished } from 'vitest'
import { Conversations } from '../../../src/stores/conversations/conversations.ts'
import { PostgresConversationTable } from '../../../src/stores/postgres/conversations/postgres-conversation-table.ts'
import { PostgresDatabase } from '../../../src/stores/postgres/postgres-database.ts'
import { createResultWriter } from '../../../src/stores/postgres/results/result-writer.ts'
import { runMigrations } from '../../../src/stores/postgres/run-migrations.ts'
import { startPostgres } from '../../support/postgres/postgres-server.ts'
import { describeWithPostgres, execute, useDatabase } from '../../support/postgres/postgres-tests.ts'
import { answering, enter, liveSession } from '../contracts/conversation-store.ts'

const away = { name: 'ServiceError', code: 'SERVICE_UNAVAILABLE', message: 'The database does not serve' }

function openStore(databaseUrl: string) {
  const lines: object[] = []
  const note = (details: object, message: string) => void lines.push({ message, ...details })
  const report = { error: note, warn: note, info: note }
  const took: number[] = []
  const asked = (ms: number) => void took.push(ms)
  const database = new PostgresDatabase({ databaseUrl, maxConnections: 4, report, asked })
  const writer = createResultWriter(database)
  const times = { ttlMs: 600_000, answerMs: 600_000, leaseMs: 300_000 }
  const open = () =>
    new Conversations({
      table: new PostgresConversationTable({ database, writer, ...times }),
      appendLogs: writer.appendClientLogs,
      maxQueuedTurns: 16,
    })
  onTestFinished(async () => {
    await writer.close()
    await database.close()
  })
  const start = async (id: string) =>
    await open().start({ session: liveSession(id), results: [answering('r1', 'a')] })
  return { database, open, start, lines, took }
}

describeWithPostgres('a database that fails', (serverUrl) => {
  const databaseUrl = useDatabase(serverUrl)
  const nameOf = () => new URL(databaseUrl()).pathname.slice(1)
  const alter = (change: string, name = nameOf()) => execute(serverUrl, `ALTER DATABASE ${name} ${change}`)
  const disconnectAll = () =>
    execute(
      serverUrl,
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
       WHERE datname LIKE '${nameOf()}%' AND pid <> pg_backend_pid()`,
    )

  it('counts its connections, and how long it took for whom', async () => {
    const { database, took } = openStore(databaseUrl())
    const queries = Array.from({ length: 6 }, () => database.query('SELECT pg_sleep(0.05)'))
    await expect.poll(() => database.connections().waiting).toBeGreaterThan(0)
    await Promise.all(queries)
    expect(database.connections()).toEqual({ busy: 0, idle: 4, waiting: 0 })
    expect(took).toHaveLength(6)
    await expect(database.query('SELECT nothing')).rejects.toThrow()
    expect(took).toHaveLength(7)
  })

  it('is not ready while it can only be read, before any turn was refused, and is logged once', async () => {
    const { database, open, start, lines } = openStore(databaseUrl())
    await start('s1')
    await alter('SET default_transaction_read_only = on')
    await disconnectAll()
    expect(await database.problems()).toEqual(['The database does not serve'])
    for (let nth = 0; nth < 3; nth++) {
      await expect.poll(async () => (await open().look('s1'))?.revision).toBe(1)
      await expect(start(`t${nth}`)).rejects.toMatchObject(away)
      expect(await database.problems()).toEqual(['The database does not serve'])
    }
    await alter('RESET default_transaction_read_only')
    await disconnectAll()
    await expect.poll(database.problems).toEqual([])
    await start('s2')
    expect(lines).toMatchObject([
      { message: 'The database does not serve' },
      { message: 'The database serves again' },
    ])
    expect(JSON.stringify(lines)).not.toContain('INSERT INTO')
  })

  it.each([
    ['accepts no connections', () => alter('ALLOW_CONNECTIONS false'), () => alter('ALLOW_CONNECTIONS true')],
    [
      'is gone',
      () => alter(`RENAME TO ${nameOf()}_away`),
      () => alter(`RENAME TO ${nameOf()}`, `${nameOf()}_away`),
    ],
  ])('is away, and no defect of the service, while it %s', async (_what, fail, mend) => {
    const { database, start } = openStore(databaseUrl())
    await fail()
    try {
      await disconnectAll()
      await expect(start('s3')).rejects.toMatchObject(away)
      expect(await database.problems()).toEqual(['The database does not serve'])
    } finally {
      await mend()
    }
    await expect.poll(database.problems).toEqual([])
  })
})

describeWithPostgres('a database that was away', () => {
  it('has what was held given back once it is there again, long before it would have run out', async () => {
    const server = await startPostgres()
    onTestFinished(() => server.stop())
    await runMigrations(server.url, { info: () => undefined, warn: () => undefined, error: () => undefined })
    const { open, start } = openStore(server.url)
    const [store, other] = [open(), open()]
    await start('s1')
    const turn = { id: 's1', idempotency: { key: 'k', fingerprint: 'f' } }
    const { lease } = await enter(store, turn.id, turn.idempotency)
    // In order: a crash would forget leases by itself.
    await server.end()
    await store.release(lease)
    await server.restart()
    const enterOther = async () => await other.enter(turn)
    await expect
      .poll(async () => (await enterOther().catch(() => ({ state: 'away' }))).state, { timeout: 5000 })
      .toBe('entered')
  })
})
