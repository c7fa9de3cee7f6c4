import {
  type CountRow,
  type CountStore,
  type CountSum,
  countsMs,
  valuesOfPage,
  valuesOfSum,
} from '../../counts/count-store.ts'
import { countWritten, daysBefore, hourMs, readFacts } from '../../counts/turn-facts.ts'
import type { PostgresDatabase } from '../postgres-database.ts'
import { columnsOf } from '../statement-batch.ts'
import { readClock } from '../upkeep/sweep-statements.ts'
import {
  addCounts,
  describeVersion,
  dropEmptyCounts,
  dropOldCounts,
  findPlaces,
  firstFacts,
  joinHours,
  pageOfCounts,
  planForMany,
  stepFacts,
  sumCounts,
  takeFacts,
} from './count-statements.ts'

export type PostgresCountStore = ReturnType<typeof createPostgresCountStore>

/** Counts of a database: whoever folds takes facts away and adds to counts in one transaction. */
export function createPostgresCountStore({
  query,
  transaction,
}: Pick<PostgresDatabase, 'query' | 'transaction'>) {
  const store: CountStore = {
    async describe(flowId, { version, places }) {
      await query(describeVersion, [flowId, version, JSON.stringify(places)])
    },
    fold: () =>
      transaction(async (query) => {
        const rows = await query<{ text: string }>(takeFacts)
        if (rows.length === 0) return false
        const [{ now } = { now: 0 }] = await query<{ now: number }>(readClock)
        const texts = rows.map(({ text }) => text)
        const counts = countWritten(texts, now)
        const keys = columnsOf(counts, 'flowId', 'version', 'hour', 'kind', 'name')
        await query(addCounts, [...keys, ...columnsOf(counts, 'count')])
        if (counts.some(({ kind }) => kind === 'path')) await query(dropEmptyCounts, keys)
        return rows.length === stepFacts
      }),
    async pendingSince() {
      const [first] = await query<{ text: string }>(firstFacts)
      return first && readFacts(first.text).hour
    },
    sum: (request) =>
      transaction(async (query) => {
        await query(planForMany)
        return query<CountSum>(sumCounts, valuesOfSum(request))
      }),
    page: (request) => query<CountRow>(pageOfCounts, valuesOfPage(request)),
    async places(flowId) {
      const rows = await query<{ version: string; places: string }>(findPlaces, [flowId])
      return rows.map(({ version, places }) => ({ version, places: JSON.parse(places) }))
    },
  }

  /** Joins a step of hours to days, and lets one of what is past its time go; true where there may be more. */
  async function sweep(now: number): Promise<boolean> {
    const joined = await transaction((query) => query(joinHours, [daysBefore(now)]))
    const old = await transaction((query) => query(dropOldCounts, [Math.floor((now - countsMs) / hourMs)]))
    return joined.length > 0 || old.length > 0
  }

  return { ...store, sweep }
}
