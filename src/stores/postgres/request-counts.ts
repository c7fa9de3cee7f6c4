import type { PostgresDatabase } from './postgres-database.ts'

/** Adds to counts, those that are past their time from zero on; returns what they are then. $3 life in milliseconds. */
const addCounts = `WITH clock AS MATERIALIZED (SELECT service_clock() AS now)
INSERT INTO request_counts AS c (name, count, expires)
SELECT i.name, i.count, now + $3::bigint FROM unnest($1::text[], $2::bigint[]) AS i(name, count), clock ORDER BY i.name
ON CONFLICT (name) DO UPDATE SET
  count = CASE WHEN c.expires < excluded.expires - $3 THEN 0 ELSE c.count END + excluded.count,
  expires = CASE WHEN c.expires < excluded.expires - $3 THEN excluded.expires ELSE c.expires END
RETURNING name, count, expires - (SELECT now FROM clock) AS "ttlMs"`

/** Counts in the database, for a limiter of each process: many of them are one statement. */
export function createRequestCounts({ query }: Pick<PostgresDatabase, 'query'>) {
  return {
    async add(counts: ReadonlyMap<string, number>, windowMs: number) {
      const rows = await query<{ name: string; count: number; ttlMs: number }>(addCounts, [
        [...counts.keys()],
        [...counts.values()],
        windowMs,
      ])
      return new Map(rows.map(({ name, ...sum }) => [name, sum]))
    },
  }
}
