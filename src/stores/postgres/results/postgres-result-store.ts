import { readResult } from '../../codec/result-codec.ts'
import { readCursor, writeCursor } from '../../codec/result-cursor.ts'
import { mostScanned, searchFor } from '../../codec/result-filter.ts'
import { nameOfResult, namesOfPage, sessionInHead } from '../../codec/result-names.ts'
import type { Result, ResultName, ResultPage, ResultPageRequest, ResultStore } from '../../result-store.ts'
import { createCountedUsage } from '../counted-usage.ts'
import type { PostgresDatabase, Query } from '../postgres-database.ts'
import { storableText } from '../postgres-text.ts'
import { type ResultRow, resultOfRow, textOfRow } from './result-row.ts'
import {
  eraseResults,
  findNames,
  findResult,
  findResults,
  holdResults,
  listNames,
  listResults,
  measureResults,
  resultExists,
} from './result-statements.ts'

/** Bytes of a page. */
const pageBytes = 8 * 1024 * 1024

/** Results that are read at once. */
const chunk = 100

/** Results that are erased as one unit: turns of their visitors wait for it, some twenty milliseconds. */
const erasedAtOnce = 1000

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
    async exists(id) {
      const [row] = await query<{ exists: boolean }>(resultExists, [storableText(id)])
      return row?.exists === true
    },
    list,
    async listNames(flowId, page) {
      const { cursor, filter: { from = -forever, until = forever, answer } = {} } = page
      if (answer !== undefined) return namesOfPage(await list(flowId, { ...page, limit: erasedAtOnce }))
      const before = cursor === undefined ? forever : readCursor(cursor)
      const most = erasedAtOnce + 1
      const rows = await query<NameRow>(listNames, [storableText(flowId), before, from, until, most])
      const names = await namesOf(rows.slice(0, erasedAtOnce), query)
      const last = rows.length === most ? rows[erasedAtOnce - 1] : undefined
      return last ? { names, nextCursor: writeCursor(last.number) } : { names }
    },
    delete: (flowId, ids) =>
      transaction(async (query) => {
        const values = [storableText(flowId), ids.map(storableText)]
        const held = await query<{ number: number }>(holdResults, values)
        const rows = await query<NameRow>(findNames, [held.map(({ number }) => number)])
        const names = await namesOf(rows, query)
        await query(eraseResults, values)
        return names
      }),
    usage,
  }
}

interface NameRow {
  readonly number: number
  readonly id: string
  /** Null where nothing names its session. */
  readonly head: string | null
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

/** Reads the few whose sessions do not show at once. */
async function namesOf(rows: readonly NameRow[], query: Query): Promise<readonly ResultName[]> {
  const names: ResultName[] = []
  const unclear: number[] = []
  for (const { id, number, head } of rows) {
    const lastChatSessionId = head === null ? undefined : sessionInHead(head)
    if (lastChatSessionId === undefined) unclear.push(number)
    else names.push({ id, lastChatSessionId })
  }
  if (unclear.length === 0) return names
  const read = await query<ResultRow>(findResults, [unclear])
  return [...names, ...read.map((row) => nameOfResult(resultOfRow(row)))]
}
