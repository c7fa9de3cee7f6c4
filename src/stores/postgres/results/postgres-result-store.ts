import { updatedResult } from '../../codec/apply-result-update.ts'
import { readResult, writeResult } from '../../codec/result-codec.ts'
import { writeCursor } from '../../codec/result-cursor.ts'
import { mostScanned, searchFor } from '../../codec/result-filter.ts'
import { countOfPage, nameOfResult, namesOfPage, sessionInHead } from '../../codec/result-names.ts'
import { dueAfter, withoutOldValues } from '../../codec/result-retention.ts'
import { withVisit } from '../../codec/result-visit.ts'
import {
  asksForText,
  type OutlivedResult,
  type Result,
  type ResultName,
  type ResultPage,
  type ResultPageRequest,
  type ResultStore,
} from '../../result-store.ts'
import { createCountedUsage } from '../counted-usage.ts'
import type { PostgresDatabase, Query } from '../postgres-database.ts'
import { storableText } from '../postgres-text.ts'
import { countHeads, findHeads, type Head, withinBytes, withoutSorting } from './find-heads.ts'
import { baseColumns, type ResultRow, resultOfRow, searchedColumns, textOfRow } from './result-row.ts'
import {
  addResults,
  eraseResults,
  findNames,
  findResults,
  holdResults,
  lockResultOf,
  measureResults,
  nameColumns,
  outlivedResults,
  rebaseResult,
  resultExists,
  selectResult,
  setDue,
} from './result-statements.ts'

/** Bytes of a page. */
const pageBytes = 8 * 1024 * 1024

/** Results that are read at once. */
const chunk = 100

/** Results that are erased as one unit: turns of their visitors wait for it, some twenty milliseconds. */
const erasedAtOnce = 1000

/** Reads and erases results. Each request is a few short statements, however long the list. */
export function createPostgresResultStore({ query, transaction }: PostgresDatabase): ResultStore {
  /** Goes through results in the order of an index that has no others, whatever the server takes to be quicker. */
  const inOrder = <T>(work: (query: Query) => Promise<T>) =>
    transaction(async (query) => {
      await query(withoutSorting)
      return work(query)
    })
  const usage = createCountedUsage(() => transaction((query) => query(measureResults)))

  async function list(flowId: string, page: ResultPageRequest): Promise<ResultPage> {
    const { limit, filter = {}, order } = page
    const search = searchFor(filter)
    const most = search ? mostScanned : limit
    const { heads, end } = await inOrder((query) =>
      findHeads<Head>(query, { ...page, flowId, columns: [], most }),
    )
    const fitting = withinBytes(heads, pageBytes)
    const results: Result[] = []
    let last = fitting.length < heads.length ? fitting.at(-1)?.number : end
    for (let start = 0; start < fitting.length && results.length < limit; start += chunk) {
      const numbers = fitting.slice(start, start + chunk).map(({ number }) => number)
      const rows = await query<ResultRow>(findResults, [numbers])
      for (const row of order === 'earliest' ? rows.toReversed() : rows) {
        const text = textOfRow(row)
        const result = !search || search.mayMatch(text) ? readResult(text) : undefined
        if (result && (search?.matches(result) ?? true)) results.push(withVisit(result, row))
        if (results.length < limit) continue
        if (row.number !== heads.at(-1)?.number) last = row.number
        break
      }
    }
    return last === undefined ? { results } : { results, nextCursor: writeCursor(last, order) }
  }

  const store: ResultStore = {
    async get(flowId, id) {
      const [row] = await query<ResultRow>(selectResult, [storableText(flowId), storableText(id)])
      return row && resultOfRow(row)
    },
    async exists(id) {
      const [row] = await query<{ exists: boolean }>(resultExists, [storableText(id)])
      return row?.exists === true
    },
    list,
    async listNames(flowId, page) {
      if (page.filter && asksForText(page.filter))
        return namesOfPage(await list(flowId, { ...page, limit: erasedAtOnce }))
      const asked = { ...page, flowId, columns: nameColumns, most: erasedAtOnce }
      const { heads, end } = await inOrder((query) => findHeads<NameRow & Head>(query, asked))
      const names = await namesOf(heads, query)
      return end === undefined ? { names } : { names, nextCursor: writeCursor(end) }
    },
    async count(flowId, page) {
      if (page.filter && asksForText(page.filter)) return countOfPage(await store.listNames(flowId, page))
      const { count, end } = await inOrder((query) => countHeads(query, { ...page, flowId }))
      return end === undefined ? { count } : { count, nextCursor: writeCursor(end) }
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
    outlived: (now, limit) => query<OutlivedResult>(outlivedResults, [now, limit]),
    forget: (flowId, id, now) =>
      transaction(async (query) => {
        const [locked] = await query<{ number: number }>(lockResultOf, [
          storableText(flowId),
          storableText(id),
        ])
        if (!locked) return
        const [row] = await query<ResultRow>(findResults, [[locked.number]])
        if (!row) return
        const { result, due = null } = withoutOldValues(resultOfRow(row), now)
        await query(rebaseResult, [locked.number, ...baseColumns(result)])
        await query(setDue, [locked.number, due])
      }),
    async add(flowId, results) {
      const kept = await query(addResults, [
        storableText(flowId),
        results.map(({ id }) => storableText(id)),
        results.map(({ now }) => now),
        results.map((change) => writeResult(updatedResult(undefined, change))),
        results.map((change) => dueAfter(change) ?? null),
        ...searchedColumns(results),
      ])
      return kept.length
    },
    usage,
  }
  return store
}

interface NameRow {
  readonly number: number
  readonly id: string
  /** Null where nothing names its session. */
  readonly head: string | null
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
