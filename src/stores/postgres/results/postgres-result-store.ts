import { updatedResult } from '../../codec/apply-result-update.ts'
import { writeResult } from '../../codec/result-codec.ts'
import { nextOf } from '../../codec/result-cursor.ts'
import { mostScanned, readerFor } from '../../codec/result-filter.ts'
import { countOfPage, nameOfResult, namesOfPage, sessionInHead } from '../../codec/result-names.ts'
import { dueAfter, withoutOldValues } from '../../codec/result-retention.ts'
import { withVisit } from '../../codec/result-visit.ts'
import {
  asksForText,
  type Result,
  type ResultName,
  type ResultStore,
  type ResultUpdate,
} from '../../result-store.ts'
import { createCountedUsage } from '../counted-usage.ts'
import type { PostgresDatabase, Query } from '../postgres-database.ts'
import { columnsOf } from '../statement-batch.ts'
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

/** Results that are erased as one unit: turns wait behind the leases that this takes, and share the disk with what it writes. */
const erasedAtOnce = 250

/** Results that are counted at once where each has to be read. */
const readAtOnce = 1000

/** Reads and erases results. Each request is a few short statements, however long the list. Its functions may be taken apart. */
export class PostgresResultStore implements ResultStore {
  readonly #query: Query
  readonly #transaction: PostgresDatabase['transaction']
  readonly usage: ResultStore['usage']

  constructor({ query, transaction }: PostgresDatabase) {
    this.#query = query
    this.#transaction = transaction
    this.usage = createCountedUsage(() => transaction((query) => query(measureResults)))
  }

  readonly get: ResultStore['get'] = async (flowId, id) => {
    const [row] = await this.#query<ResultRow>(selectResult, [flowId, id])
    return row && resultOfRow(row)
  }

  readonly exists: ResultStore['exists'] = async (id) => {
    const [row] = await this.#query<{ exists: boolean }>(resultExists, [id])
    return row?.exists === true
  }

  readonly list: ResultStore['list'] = async (flowId, page) => {
    const { limit, filter = {}, order } = page
    const read = readerFor(filter)
    const asked = { ...page, flowId, columns: [], most: asksForText(filter) ? mostScanned : limit }
    const { heads, end } = await this.#inOrder((query) => findHeads<Head>(query, asked))
    const fitting = withinBytes(heads, pageBytes)
    const results: Result[] = []
    let last = fitting.length < heads.length ? fitting.at(-1)?.number : end
    for (let start = 0; start < fitting.length && results.length < limit; start += chunk) {
      const numbers = fitting.slice(start, start + chunk).map(({ number }) => number)
      const rows = await this.#query<ResultRow>(findResults, [numbers])
      for (const row of order === 'earliest' ? rows.toReversed() : rows) {
        const result = read(textOfRow(row))
        if (result) results.push(withVisit(result, row))
        if (results.length < limit) continue
        if (row.number !== heads.at(-1)?.number) last = row.number
        break
      }
    }
    return { results, ...nextOf(last, order) }
  }

  readonly listNames: ResultStore['listNames'] = async (flowId, page) => {
    if (page.filter && asksForText(page.filter))
      return namesOfPage(await this.list(flowId, { ...page, limit: erasedAtOnce }))
    const asked = { ...page, flowId, columns: nameColumns, most: erasedAtOnce }
    const { heads, end } = await this.#inOrder((query) => findHeads<NameRow & Head>(query, asked))
    return { names: await namesOf(heads, this.#query), ...nextOf(end) }
  }

  readonly count: ResultStore['count'] = async (flowId, page) => {
    if (page.filter && asksForText(page.filter))
      return countOfPage(await this.list(flowId, { ...page, limit: readAtOnce }))
    const { count, end } = await this.#inOrder((query) => countHeads(query, { ...page, flowId }))
    return { count, ...nextOf(end) }
  }

  readonly delete: ResultStore['delete'] = (flowId, ids) =>
    this.#transaction(async (query) => {
      const values = [flowId, ids]
      const held = await query<{ number: number }>(holdResults, values)
      const rows = await query<NameRow>(findNames, [held.map(({ number }) => number)])
      const names = await namesOf(rows, query)
      await query(eraseResults, values)
      return names
    })

  readonly outlived: ResultStore['outlived'] = (now, limit) => this.#query(outlivedResults, [now, limit])

  readonly forget: ResultStore['forget'] = (flowId, id, now) =>
    this.#transaction(async (query) => {
      const name = [flowId, id]
      const [locked] = await query<{ number: number }>(lockResultOf, name)
      const [row] = locked ? await query<ResultRow>(findResults, [[locked.number]]) : []
      if (!row) return
      const { result, due = null } = withoutOldValues(resultOfRow(row), now)
      await query(rebaseResult, [row.number, ...baseColumns(result)])
      await query(setDue, [row.number, due])
    })

  readonly add: ResultStore['add'] = async (flowId, results) => {
    const base = (change: ResultUpdate) => writeResult(updatedResult(undefined, change))
    const columns = columnsOf(results, 'id', 'now', base, dueAfter)
    const values = [flowId, ...columns, ...searchedColumns(results)]
    return (await this.#query(addResults, values)).length
  }

  /** Goes through results in the order of an index that has no others, whatever the server takes to be quicker. */
  #inOrder<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return this.#transaction(async (query) => {
      await query(withoutSorting)
      return work(query)
    })
  }
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
