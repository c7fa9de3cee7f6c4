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
import { type Count, countWritten, daysBefore, hourMs, readFacts } from '../../../counts/turn-facts.ts'
import { prepareAll } from '../binding.ts'
import type { RowsContext } from '../rows-context.ts'

/** Facts, and rows of counts, that a step takes: turns wait for it, some five milliseconds, ten where each fact is counted apart. */
const stepFacts = 500
const stepRows = 500

/** Different facts of these: each is read, and adds to some ten counts, where equal ones are added up before. */
const stepTexts = 200

const columns = 'flow_id, hour, version, kind, name'
const key = `(${columns})`

const within = 'flow_id = ?1 AND hour >= ?2 AND hour < ?3 AND (?4 IS NULL OR version = ?4)'

const texts = {
  keep: 'INSERT INTO turn_facts (text) VALUES (?)',
  left: 'SELECT number, text FROM turn_facts ORDER BY number LIMIT ?',
  forget: 'DELETE FROM turn_facts WHERE number <= ?',
  add: `INSERT INTO counts (flow_id, version, hour, kind, name, count) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET count = count + excluded.count WHERE count + excluded.count <> 0`,
  drop: 'DELETE FROM counts WHERE flow_id = ? AND hour = ? AND version = ? AND kind = ? AND name = ?',
  hours: `DELETE FROM counts WHERE ${key} IN (SELECT ${columns} FROM counts WHERE hour < ? AND hour % 24 <> 0 LIMIT ?)
    RETURNING flow_id AS flowId, version, hour, kind, name, count`,
  dropOld: `DELETE FROM counts WHERE ${key} IN (SELECT ${columns} FROM counts WHERE hour < ? LIMIT ?)`,
  describe: 'INSERT OR IGNORE INTO count_versions (flow_id, version, places) VALUES (?, ?, ?)',
  places: 'SELECT version, places FROM count_versions WHERE flow_id = ?',
  // Names differ soonest: versions, compared first, would be the same for most.
  sum: `SELECT version, kind, name, sum(count) AS count, sum(iif(hour < ?5, count, 0)) AS settled
    FROM counts WHERE ${within} GROUP BY name, kind, version`,
  page: `SELECT hour, version, kind, name, count FROM counts
    WHERE ${within} AND (hour, version, kind, name) > (?5, ?6, ?7, ?8) ORDER BY hour, version, kind, name LIMIT ?9`,
}

/** Counts of flows, and what turns have left to be counted. */
export class CountRows {
  readonly #clock: RowsContext['clock']
  readonly #statements

  constructor({ database, clock }: RowsContext) {
    this.#clock = clock
    this.#statements = prepareAll(database, texts)
  }

  keep(facts: string): void {
    this.#statements.keep.run(facts)
  }

  /** Counts a step of what turns have left; true where there may be more. */
  fold(): boolean {
    const rows = this.#statements.left.all<{ number: number; text: string }>(stepFacts)
    const different = new Set<string>()
    const texts: string[] = []
    let last: number | undefined
    for (const { number, text } of rows) {
      if (different.add(text).size > stepTexts) break
      texts.push(text)
      last = number
    }
    if (last === undefined) return false
    this.#add(countWritten(texts, this.#clock.now))
    this.#statements.forget.run(last)
    return rows.length === stepFacts || texts.length < rows.length
  }

  pendingSince(): number | undefined {
    const first = this.#statements.left.get<{ text: string }>(1)
    return first && readFacts(first.text).hour
  }

  /** Joins a step of hours to days, and lets one of what is past its time go; true where there may be more. */
  sweep(): boolean {
    const { now } = this.#clock
    const joined = this.#statements.hours.all<Count>(daysBefore(now), stepRows)
    this.#add(joined.map((count) => ({ ...count, hour: count.hour - (count.hour % 24) })))
    const old = this.#statements.dropOld.run(Math.floor((now - countsMs) / hourMs), stepRows)
    return joined.length === stepRows || Number(old.changes) === stepRows
  }

  describe(flowId: string, { version, places }: VersionPlaces): void {
    this.#statements.describe.run(flowId, version, JSON.stringify(places))
  }

  sum(request: CountRequest): readonly CountSum[] {
    return this.#statements.sum.all(...valuesOfSum(request))
  }

  page(request: CountPageRequest): readonly CountRow[] {
    return this.#statements.page.all(...valuesOfPage(request))
  }

  places(flowId: string): readonly VersionPlaces[] {
    const rows = this.#statements.places.all<{ version: string; places: string }>(flowId)
    return rows.map(({ version, places }) => ({ version, places: JSON.parse(places) }))
  }

  #add(counts: readonly Count[]): void {
    const { add, drop } = this.#statements
    for (const { flowId, version, hour, kind, name, count } of counts) {
      // Returning the count instead takes a new row twice the time.
      const { changes } = add.run(flowId, version, hour, kind, name, count)
      if (Number(changes) === 0) drop.run(flowId, hour, version, kind, name)
    }
  }
}
