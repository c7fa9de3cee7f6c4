import { expect, it } from 'vitest'
import { openPostgresStores } from '../../support/postgres/postgres-conversations.ts'
import { describeWithPostgres, execute, useDatabase } from '../../support/postgres/postgres-tests.ts'

describeWithPostgres('a filter of results that finds nobody', (serverUrl) => {
  const databaseUrl = useDatabase(serverUrl)

  it('goes through no more of them than one request may, however many there are', async () => {
    const { database, results } = await openPostgresStores(databaseUrl())
    const rowsRead = async () => {
      await database.query('SELECT pg_stat_force_next_flush()')
      const [row] = await database.query<{ read: number }>(
        `SELECT sum(idx_tup_read)::bigint AS read FROM pg_stat_user_indexes WHERE relname = 'results'`,
      )
      return row?.read ?? 0
    }
    await execute(
      databaseUrl(),
      `INSERT INTO results (flow_id, id, created_at, changed_at, size, room, base, version, path, cohort, place, asked_at)
       SELECT 'flow-1', 'r' || i, i, i, 2, 4096, '{}', 'v', 'AB', '', 'b' || i % 20, i FROM generate_series(1, 150000) i`,
    )
    await execute(databaseUrl(), 'ANALYZE results')
    const filter = { place: 'nowhere' }
    const before = await rowsRead()
    const page = await results.list('flow-1', { limit: 50, filter })
    expect(page).toEqual({ results: [], nextCursor: expect.any(String) })
    const listed = await rowsRead()
    expect(await results.count('flow-1', { filter })).toMatchObject({ count: 0 })
    const counted = await rowsRead()
    // A page looks for its end, and then between that and its begin.
    expect([listed - before, counted - listed]).toEqual([40_001, 20_000])
  })
})
