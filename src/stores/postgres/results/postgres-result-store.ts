import { readResult } from '../../codec/result-codec.ts'
import { readCursor, writeCursor } from '../../codec/result-cursor.ts'
import { mostScanned, searchFor } from '../../codec/result-filter.ts'
import type { Result, ResultPage, ResultPageRequest, ResultStore } from '../../result-store.ts'
import { createCountedUsage } from '../counted-usage.ts'
import type { PostgresDatabase } from '../postgres-database.ts'
import { storableText } from '../postgres-text.ts'
import { type ResultRow, resultOfRow, textOfRow } from './result-row.ts'
import {
  dropLines,
  findResult,
  findResults,
  holdResult,
  listResults,
  markErased,
  measureResults,
} from './result-statements.ts'

/** Bytes of a page. */
const pageBytes = 8 * 1024 * 1024

/** Results that are read at once. */
const chunk = 100

/** Milliseconds that no clock reaches. */
const forever = Number.MAX_SAFE_INTEGER

/** Reads and erases results. Each request is a few short statements, however long the list. */
export function createPostgresResultStore({ query, transaction }: PostgresDatabase): ResultStore {
  const usage = createCountedUsage(() => transaction((query) => query(measureResults)))

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
    list,
    delete: (flowId, id) =>
      transaction(async (query) => {
        const names = [storableText(flowId), storableText(id)]
        await query(holdResult, names)
        const [row] = await query<ResultRow>(findResult, names)
        const [erased] = await query<{ number: number }>(markErased, names)
        await query(dropLines, [erased?.number])
        return row && resultOfRow(row)
      }),
    usage,
  }
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
