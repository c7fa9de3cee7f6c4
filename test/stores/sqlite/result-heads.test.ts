import { expect, it, onTestFinished } from 'vitest'
import { mostPassed } from '../../../src/stores/codec/result-filter.ts'
import { loadBinding, usualBinding } from '../../../src/stores/sqlite/thread/binding.ts'
import { findHeads } from '../../../src/stores/sqlite/thread/results/result-heads.ts'

it.each([
  ['latest', mostPassed + 10, 6, 11],
  ['earliest', 1, mostPassed + 5, mostPassed],
] as const)(
  'finds the %s among more results than one request goes through',
  async (order, near, far, end) => {
    const { DatabaseSync } = await loadBinding(usualBinding())
    const database = new DatabaseSync(':memory:')
    onTestFinished(() => database.close())
    database.exec(`CREATE TABLE results (
      number INTEGER PRIMARY KEY, flow_id TEXT, id TEXT, created INTEGER, size INTEGER,
      version TEXT, path TEXT, cohort TEXT, place TEXT, asked_at INTEGER);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${mostPassed + 10})
    INSERT INTO results SELECT i, 'f', 'r' || i, i, 1, 'v', '', '[]',
      CASE WHEN i IN (${near}, ${far}) THEN 'b1' ELSE 'b2' END, 0 FROM n`)
    const find = (beyond: number) =>
      findHeads(database, { flowId: 'f', beyond, limit: 50, filter: { place: 'b1' }, order })
    const numbersOf = ({ heads }: ReturnType<typeof find>) => heads.map(({ number }) => number)
    const first = find(order === 'latest' ? Number.MAX_SAFE_INTEGER : 0)
    expect([numbersOf(first), first.end]).toEqual([[near], end])
    const second = find(end)
    expect([numbersOf(second), second.end]).toEqual([[far], undefined])
  },
)
