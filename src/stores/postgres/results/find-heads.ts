import { timeConditions, visitConditions } from '../../codec/result-conditions.ts'
import { startOf, writeCursor } from '../../codec/result-cursor.ts'
import { asksForVisit, isWithin, mostPassed, mostSearched, soughtTexts } from '../../codec/result-filter.ts'
import { hasMarks, textPatterns } from '../../codec/text-pattern.ts'
import {
  asksForText,
  type ResultFilter,
  type ResultNamesRequest,
  type ResultPageRequest,
} from '../../result-store.ts'
import type { Query } from '../postgres-database.ts'

/** Results that are compared with a text by what they are found by, for one request. */
const mostCompared = 100_000

/** Whether what a result is found by says all that it holds: else its lines are compared. */
const isCovered = 'coalesce(r.covered = r.size, false)'

/**
 * For the transaction of what follows. The server takes all results of a flow for a few, as it plans for any flow, and would
 * rather sort them than stop after those that one request goes through.
 */
export const withoutSorting = `SELECT set_config('enable_sort', 'off', true), set_config('enable_incremental_sort', 'off', true)`

interface HeadsRequest extends Omit<ResultPageRequest, 'limit'> {
  readonly flowId: string
  /** Selected of each, besides its number and its size. */
  readonly columns: readonly string[]
  readonly most: number
}

export interface Head {
  readonly number: number
  readonly size: number
}

interface Heads<Row> {
  readonly heads: readonly Row[]
  /** The number of the last one that was looked at, when others may follow. */
  readonly end: number | undefined
}

const binding = (values: (string | number)[]) => (value: string | number) => `$${values.push(value)}`

/**
 * Finds results that are not erased without reading them. Compared as rows, in an order that the index of kept results alone
 * has: by their numbers alone, the plan may be to go through all that were erased.
 */
export async function findHeads<Row extends Head>(query: Query, request: HeadsRequest): Promise<Heads<Row>> {
  const { flowId, columns, most, filter = {}, ...page } = request
  const values: (string | number)[] = []
  const bind = binding(values)
  const flow = bind(flowId)
  const isEarliest = page.order === 'earliest'
  const [outer, comes, direction] = isEarliest ? ['<=', '>', ''] : ['>=', '<', 'DESC']
  const beyond = (number: number, more = '') =>
    `(r.flow_id, r.number) ${comes}${more} (${flow}, ${bind(number)})`
  const some = `r.flow_id ${outer} ${flow} AND ${beyond(startOf(page))} AND NOT r.is_erased`
  const inOrder = `ORDER BY r.flow_id ${direction}, r.number ${direction} LIMIT`
  const given = [...values]
  const lastOf = async (most: number) => {
    const [last, next] = await query<Head>(
      `SELECT r.number FROM results r WHERE ${some} ${inOrder} 2 OFFSET ${most - 1}`,
      given,
    )
    return next && last?.number
  }
  const isSearch = asksForText(filter)
  const times = timeConditions(filter, 'r.created_at', bind)
  const isBounded = asksForVisit(filter) || times.length > 0
  const reach = isSearch ? mostCompared : isBounded ? mostPassed : undefined
  const last = reach === undefined ? undefined : await lastOf(reach)
  const opposite = isEarliest ? '<=' : '>='
  const bounds = last === undefined ? [] : [`(r.flow_id, r.number) ${opposite} (${flow}, ${bind(last)})`]
  const sought = [...visitConditions(filter, bind), ...textConditions(filter, bind)]
  const conditions = [some, ...times, ...bounds, ...sought].join(' AND ')
  const selected = ['r.number', 'r.size', `${isCovered} AS "isCovered"`, ...columns].join(', ')
  const atMost = isSearch ? mostSearched.results : most
  const rows = await query<Row & Found>(
    `SELECT ${selected} FROM results r WHERE ${conditions} ${inOrder} ${atMost + 1}`,
    values,
  )
  const looked = (isSearch ? withinBytes(rows, mostSearched.bytes) : rows).slice(0, atMost)
  const end = looked.length < rows.length ? looked.at(-1)?.number : last
  const heads = isSearch ? await withText(query, { rows: looked, filter }) : looked
  if (heads.length > most) {
    const found = heads.slice(0, most)
    return { heads: found, end: found.at(-1)?.number }
  }
  if (end === undefined || end !== last || times.length === 0) return { heads, end }
  const before = await beforeNext(query, { flowId, filter, order: page.order, end })
  if (before === undefined || heads.length > 0 || sought.length > 0) return { heads, end: before }
  return findHeads(query, { ...request, cursor: writeCursor(before, page.order) })
}

/**
 * The number behind which the next result of the times that are asked for comes, from that of the last one that was looked at
 * on; undefined where none follows.
 */
async function beforeNext(
  query: Query,
  {
    flowId,
    filter,
    order,
    end,
  }: Pick<HeadsRequest, 'flowId' | 'order'> & { filter: ResultFilter; end: number },
): Promise<number | undefined> {
  const [outer, comes, direction, first, step] =
    order === 'earliest' ? ['<=', '>', '', 'min', -1] : ['>=', '<', 'DESC', 'max', 1]
  // Mostly the very next one is of these times, too, and they are long.
  const [next] = await query<{ created_at: number }>(
    `SELECT created_at FROM results WHERE flow_id ${outer} $1 AND (flow_id, number) ${comes} ($1, $2) AND NOT is_erased
     ORDER BY flow_id ${direction}, number ${direction} LIMIT 1`,
    [flowId, end],
  )
  if (!next || isWithin(next.created_at, filter)) return next && end
  const values: (string | number)[] = [flowId, end]
  const times = timeConditions(filter, 'created_at', binding(values)).join(' AND ')
  // Of bare numbers the server would go through all of them, as it expects to find one of the times soon.
  const [found] = await query<{ number: number | null }>(
    `SELECT ${first}(number + 0) AS number FROM results
     WHERE flow_id = $1 AND number + 0 ${comes} $2 AND NOT is_erased AND ${times}`,
    values,
  )
  return typeof found?.number === 'number' ? found.number + step : undefined
}

/** Counts among the latest results beyond a cursor, as many as one request goes through, of a filter that asks for no text. */
export async function countHeads(
  query: Query,
  { flowId, filter = {}, ...page }: ResultNamesRequest & { readonly flowId: string },
): Promise<{ readonly count: number; readonly end: number | undefined }> {
  const values: (string | number)[] = []
  const bind = binding(values)
  const [flow, start] = [bind(flowId), bind(startOf(page))]
  const sought = [...timeConditions(filter, 'r.created_at', bind), ...visitConditions(filter, bind)]
  const [counted] = await query<{ passed: number; count: number; end: number }>(
    `SELECT count(*) AS passed, count(*) FILTER (WHERE is_sought) AS count, min(number) AS "end" FROM (
       SELECT r.number, ${sought.join(' AND ') || 'true'} AS is_sought FROM results r
       WHERE r.flow_id >= ${flow} AND (r.flow_id, r.number) < (${flow}, ${start}) AND NOT r.is_erased
       ORDER BY r.flow_id DESC, r.number DESC LIMIT ${mostPassed}) AS looked`,
    values,
  )
  const { passed = 0, count = 0, end } = counted ?? {}
  return { count, end: passed < mostPassed ? undefined : end }
}

interface Found extends Head {
  readonly isCovered: boolean
}

/** The first of them that fit in so many bytes; the very first whatever its size. */
export function withinBytes<Row extends Head>(heads: readonly Row[], bytes: number): readonly Row[] {
  let room = bytes
  let count = 0
  for (const { size } of heads) {
    if (count > 0 && room <= 0) break
    room -= size
    count += 1
  }
  return heads.slice(0, count)
}

/** Those that are not covered are looked at afterwards. */
function textConditions(filter: ResultFilter, bind: (value: string) => string): string[] {
  return soughtTexts(filter).map((sought) => {
    const text = bind(sought)
    return `CASE WHEN ${isCovered} THEN strpos(r.said, ${text}) > 0 OR strpos(r.held, ${text}) > 0 ELSE true END`
  })
}

async function withText<Row extends Found>(
  query: Query,
  { rows, filter }: { readonly rows: readonly Row[]; readonly filter: ResultFilter },
): Promise<readonly Row[]> {
  const uncovered = rows.flatMap(({ number, isCovered }) => (isCovered ? [] : [number]))
  if (uncovered.length === 0) return rows
  const found = await linesWith(query, { numbers: uncovered, filter })
  return rows.filter(({ number, isCovered }) => isCovered || found.has(number))
}

/**
 * Which of some results may have the text of a filter, by all that is written of them. By an aggregate, as EXISTS may be
 * planned as one look at the lines of all results.
 */
async function linesWith(
  query: Query,
  { numbers, filter }: { readonly numbers: readonly number[]; readonly filter: ResultFilter },
): Promise<ReadonlySet<number>> {
  const patterns = textPatterns(filter)
  const conditions = patterns.map(({ isBesideMarks }, index) => {
    const isFound = (text: string) =>
      `${text} COLLATE "C" ILIKE $${index + 2}${isBesideMarks ? ` OR ${hasMarks(text)}` : ''}`
    return `(${isFound('r.base')} OR (SELECT bool_or(${isFound('t.line')}) FROM result_turns t WHERE t.result = r.number))`
  })
  const found = await query<{ number: number }>(
    `SELECT r.number FROM results r WHERE r.number = ANY($1::bigint[]) AND ${conditions.join(' AND ')}`,
    [numbers, ...patterns.map(({ like }) => like)],
  )
  return new Set(found.map(({ number }) => number))
}
