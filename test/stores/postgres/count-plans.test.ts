import { expect, it } from 'vitest'
import { openPostgresStores } from '../../support/postgres/postgres-conversations.ts'
import { describeWithPostgres, execute, useDatabase } from '../../support/postgres/postgres-tests.ts'

describeWithPostgres('a sum of counts', (serverUrl) => {
  const databaseUrl = useDatabase(serverUrl)

  it.each([1, 4])(
    'goes through many at once, not to each by its key, among those of %i flows',
    async (flows) => {
      const { database, counts } = await openPostgresStores(databaseUrl())
      await execute(
        databaseUrl(),
        `INSERT INTO counts (flow_id, version, hour, kind, name, count)
       SELECT 'flow-' || f, 'v', hour, 'shown', 'b' || b, 2
       FROM generate_series(1, ${flows}) f, generate_series(1, 500) hour, generate_series(1, 40) b`,
      )
      await execute(databaseUrl(), 'ANALYZE counts')
      const fetchedByKey = async () => {
        await database.query('SELECT pg_stat_force_next_flush()')
        const [row] = await database.query<{ fetched: number }>(
          `SELECT sum(idx_tup_fetch)::bigint AS fetched FROM pg_stat_user_indexes WHERE relname = 'counts'`,
        )
        return row?.fetched ?? 0
      }
      const before = await fetchedByKey()
      const request = { flowId: 'flow-1', from: 0, until: 1000, settled: 101 }
      const sums = await counts.sum(request)
      expect(sums).toHaveLength(40)
      for (const { count, settled } of sums) expect([count, settled]).toEqual([1000, 200])
      // The planner looks at the ends of an index.
      expect((await fetchedByKey()) - before).toBeLessThan(10)
      // The connection plans for turns again.
      const [{ plan_cache_mode: mode } = {}] = await database.query<{ plan_cache_mode?: string }>(
        'SHOW plan_cache_mode',
      )
      expect(mode).toBe('force_generic_plan')
    },
  )
})
