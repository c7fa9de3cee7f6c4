import { readResult } from '../../codec/result-codec.ts'
import { readCursor, writeCursor } from '../../codec/result-cursor.ts'
import { mostScanned, searchFor } from '../../codec/result-filter.ts'
import type { Result, ResultPage, ResultPageRequest, ResultStore } from '../../result-store.ts'
import { createCountedUsage } from '../counted-usage.ts'
import type { PostgresDatabase, Query } from '../postgres-database.ts'
import { storableText } from '../postgres-text.ts'
import { createStatementBatch } from '../statement-batch.ts'
import { type ResultRow, resultOfRow, textOfRow } from './result-row.ts'
import {
  dropLines,
  findResult,
  findResults,
  holdResults,
  listResults,
  markErased,
  measureResults,
  resultExists,
} from './result-statements.ts'

/** Bytes of a page. */
const pageBytes = 8 * 1024 * 1024

/** Results that are read at once. */
const chunk = 100

/** Results that are erased as one unit. */
const erasedAtOnce = 500

/** Milliseconds that no clock reaches. */
const forever = Number.MAX_SAFE_INTEGER

/** Reads and erases results. Each request is a few short statements, however long the list. */
export function createPostgresResultStore({ query, transaction }: PostgresDatabase): ResultStore {
  const usage = createCountedUsage(() => transaction((query) => query(measureResults)))

  const erasures = createStatementBatch<ResultName, Result | undefined>(
    (names) => transaction((query) => eraseAll(query, names)),
    { maxRequests: erasedAtOnce, nameOf: ({ flowId, id }) => JSON.stringify([flowId, id]) },
  )

  async function list(
    flowId: string,
    { limit, cursor, filter = {} }: ResultPageRequest,
  ): Promise<ResultPage> {
    const { from = -forever, until = forever } = filter
    const before = cursor === undefined ? forever : readCursor(cursor)
    const search = searchFor(filter)
    const most = search ? mostScanned : limit
    const heads = await query<Head>(listResults, [storableText(flowId), before, from, until, most + 1])
    const page = withinBytes(heads.slice(0, most))
    const results: Result[] = []
    let last: number | undefined
    for (let start = 0; start < page.length && results.length < limit; start += chunk) {
      const numbers = page.slice(start, start + chunk).map(({ number }) => number)
      for (const row of await query<ResultRow>(findResults, [numbers])) {
        if (results.length === limit) break
        const text = textOfRow(row)
        const result = !search || search.mayMatch(text) ? readResult(text) : undefined
        if (result && (search?.matches(result) ?? true)) results.push(result)
        last = row.number
      }
      // Those that were erased since count as gone through.
      if (results.length < limit) last = numbers.at(-1)
    }
    const isMore = last !== undefined && heads.some(({ number }) => number < (last as number))
    return isMore ? { results, nextCursor: writeCursor(last as number) } : { results }
  }

  return {
    async get(flowId, id) {
      const [row] = await query<ResultRow>(findResult, [storableText(flowId), storableText(id)])
      return row && resultOfRow(row)
    },
    async exists(id) {
      const [row] = await query<{ exists: boolean }>(resultExists, [storableText(id)])
      return row?.exists === true
    },
    list,
    delete: (flowId, id) => erasures.send({ flowId: storableText(flowId), id: storableText(id) }),
    usage,
  }
}

interface ResultName {
  readonly flowId: string
  readonly id: string
}

/** What they were as of the last turn; undefined where there was none. */
async function eraseAll(query: Query, names: readonly ResultName[]): Promise<(Result | undefined)[]> {
  const columns = [names.map(({ flowId }) => flowId), names.map(({ id }) => id)]
  const held = await query<{ number: number }>(holdResults, columns)
  const rows = await query<ResultRow>(findResults, [held.map(({ number }) => number)])
  const marked = await query<{ number: number }>(markErased, columns)
  await query(dropLines, [marked.map(({ number }) => number)])
  const rowOf = new Map(rows.map((row) => [JSON.stringify([row.flowId, row.id]), row]))
  return names.map(({ flowId, id }) => {
    const row = rowOf.get(JSON.stringify([flowId, id]))
    return row && resultOfRow(row)
  })
}

interface Head {
  readonly number: number
  readonly size: number
}

/** The first of them that fit a page; the very first whatever its size. */
function withinBytes(heads: readonly Head[]): readonly Head[] {
  let room = pageBytes
  let count = 0
  for (const { size } of heads) {
    if (count > 0 && room <= 0) break
    room -= size
    count += 1
  }
  return heads.slice(0, count)
}
