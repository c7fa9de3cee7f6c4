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

  it('goes to those of the times that are asked for by an index, in either order', async () => {
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
      `INSERT INTO results (flow_id, id, created_at, changed_at, size, room)
       SELECT 'flow-1', 'r' || i, i, i, 2, 4096 FROM generate_series(1, 150000) i`,
    )
    await execute(databaseUrl(), 'ANALYZE results')
    const list = async (filter: object, order?: 'earliest') => {
      const before = await rowsRead()
      const { results: found, nextCursor } = await results.list('flow-1', { limit: 50, filter, order })
      return { found: found.map(({ id }) => id), nextCursor, read: (await rowsRead()) - before }
    }
    // Somebody else may have read meanwhile: the upkeep of the server does.
    const leastOf = async (filter: object, order?: 'earliest') => {
      const tries = [await list(filter, order), await list(filter, order), await list(filter, order)]
      return tries.reduce((least, each) => (each.read < least.read ? each : least))
    }
    for (const order of [undefined, 'earliest'] as const) {
      for (const nobody of [{ from: 200_000 }, { until: 0 }, { from: 70_000, until: 70_000 }])
        expect(await leastOf(nobody, order)).toEqual({ found: [], nextCursor: undefined, read: 40_002 })
      const { found, nextCursor, read } = await leastOf({ from: 70_000, until: 70_003 }, order)
      expect(found).toEqual(order ? ['r70000', 'r70001', 'r70002'] : ['r70002', 'r70001', 'r70000'])
      expect(nextCursor).toBeUndefined()
      expect(read).toBeLessThan(81_000)
    }
  })
})
