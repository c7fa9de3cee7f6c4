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

it('goes through fewer results for a text where they are large', async () => {
  const { DatabaseSync } = await loadBinding(usualBinding())
  const database = new DatabaseSync(':memory:')
  onTestFinished(() => database.close())
  database.exec(`CREATE TABLE results (
    number INTEGER PRIMARY KEY, flow_id TEXT, id TEXT, created INTEGER, size INTEGER,
    version TEXT, path TEXT, cohort TEXT, place TEXT, asked_at INTEGER);
  CREATE TABLE result_lines (result INTEGER, line TEXT);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6)
  INSERT INTO results SELECT i, 'f', 'r' || i, i, CASE i WHEN 2 THEN 100000000 ELSE 2000000 END, 'v', '', '[]', 'b', 0 FROM n;
  INSERT INTO result_lines SELECT number, CASE number WHEN 1 THEN '"Ada"' ELSE '"Bob"' END FROM results`)
  const pages: [number[], number | undefined][] = []
  let beyond: number | undefined = Number.MAX_SAFE_INTEGER
  while (beyond !== undefined) {
    const { heads, end } = findHeads(database, { flowId: 'f', beyond, limit: 50, filter: { text: 'ADA' } })
    pages.push([heads.map(({ number }) => number), end])
    beyond = end
  }
  expect(pages).toEqual([
    [[], 4],
    [[], 3],
    [[], 2],
    [[1], undefined],
  ])
})
