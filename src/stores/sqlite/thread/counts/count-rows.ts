import {
  type CountPageRequest,
  type CountRequest,
  type CountRow,
  type CountSum,
  countsMs,
  type VersionPlaces,
  valuesOfPage,
  valuesOfSum,
} from '../../../counts/count-store.ts'
import { type Count, countFacts, daysBefore, hourMs, readFacts } from '../../../counts/turn-facts.ts'
import type { Database } from '../binding.ts'

/** Facts, and rows of counts, that a step takes: turns wait for it, some five milliseconds. */
const stepFacts = 200
const stepRows = 500

const columns = 'flow_id, hour, version, kind, name'
const key = `(${columns})`

/** Counts of flows, and what turns have left to be counted. */
export function createCountRows(database: Database) {
  const keep = database.prepare('INSERT INTO turn_facts (text) VALUES (?)')
  const left = database.prepare('SELECT number, text FROM turn_facts ORDER BY number LIMIT ?')
  const forget = database.prepare('DELETE FROM turn_facts WHERE number <= ?')
  const add = database.prepare(
    `INSERT INTO counts (flow_id, version, hour, kind, name, count) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET count = count + excluded.count RETURNING count`,
  )
  const drop = database.prepare(
    'DELETE FROM counts WHERE flow_id = ? AND hour = ? AND version = ? AND kind = ? AND name = ?',
  )
  const hours = database.prepare(
    `DELETE FROM counts WHERE ${key} IN (SELECT ${columns} FROM counts WHERE hour < ? AND hour % 24 <> 0 LIMIT ?)
     RETURNING flow_id AS flowId, version, hour, kind, name, count`,
  )
  const dropOld = database.prepare(
    `DELETE FROM counts WHERE ${key} IN (SELECT ${columns} FROM counts WHERE hour < ? LIMIT ?)`,
  )
  const describe = database.prepare(
    'INSERT OR IGNORE INTO count_versions (flow_id, version, places) VALUES (?, ?, ?)',
  )
  const places = database.prepare('SELECT version, places FROM count_versions WHERE flow_id = ?')
  const within = 'flow_id = ?1 AND hour >= ?2 AND hour < ?3 AND (?4 IS NULL OR version = ?4)'
  // Names differ soonest: versions, compared first, would be the same for most.
  const sum = database.prepare(
    `SELECT version, kind, name, sum(count) AS count, sum(iif(hour < ?5, count, 0)) AS settled
     FROM counts WHERE ${within} GROUP BY name, kind, version`,
  )
  const page = database.prepare(
    `SELECT hour, version, kind, name, count FROM counts
     WHERE ${within} AND (hour, version, kind, name) > (?5, ?6, ?7, ?8) ORDER BY hour, version, kind, name LIMIT ?9`,
  )

  function addAll(counts: readonly Count[]): void {
    for (const { flowId, version, hour, kind, name, count } of counts) {
      const row = add.get(flowId, version, hour, kind, name, count) as { count: number }
      if (row.count === 0) drop.run(flowId, hour, version, kind, name)
    }
  }

  return {
    keep: (facts: string) => void keep.run(facts),
    /** Counts a step of what turns have left; true where there may be more. */
    fold(now: number): boolean {
      const rows = left.all(stepFacts) as { number: number; text: string }[]
      const last = rows.at(-1)
      if (!last) return false
      addAll(
        countFacts(
          rows.map(({ text }) => readFacts(text)),
          now,
        ),
      )
      forget.run(last.number)
      return rows.length === stepFacts
    },
    pendingSince(): number | undefined {
      const [first] = left.all(1) as { text: string }[]
      return first && readFacts(first.text).hour
    },
    /** Joins a step of hours to days, and lets one of what is past its time go; true where there may be more. */
    sweep(now: number): boolean {
      const joined = hours.all(daysBefore(now), stepRows) as Count[]
      addAll(joined.map((count) => ({ ...count, hour: count.hour - (count.hour % 24) })))
      const old = dropOld.run(Math.floor((now - countsMs) / hourMs), stepRows)
      return joined.length === stepRows || Number(old.changes) === stepRows
    },
    describe: (_: number, flowId: string, described: VersionPlaces) =>
      void describe.run(flowId, described.version, JSON.stringify(described.places)),
    sum: (_: number, request: CountRequest) => sum.all(...valuesOfSum(request)) as CountSum[],
    page: (_: number, request: CountPageRequest) => page.all(...valuesOfPage(request)) as CountRow[],
    places: (_: number, flowId: string) =>
      (places.all(flowId) as { version: string; places: string }[]).map(
        ({ version, places }): VersionPlaces => ({ version, places: JSON.parse(places) }),
      ),
  }
}
