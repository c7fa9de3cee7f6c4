import { timeConditions, visitConditions } from '../../codec/result-conditions.ts'
import { startOf } from '../../codec/result-cursor.ts'
import {
  asksForVisit,
  mostPassed,
  mostSearched,
  type Reach,
  shorterReach,
} from '../../codec/result-filter.ts'
import { hasMarks, textPatterns } from '../../codec/text-pattern.ts'
import {
  asksForText,
  type ResultFilter,
  type ResultNamesRequest,
  type ResultPageRequest,
} from '../../result-store.ts'
import type { Query } from '../postgres-database.ts'
import { storableText } from '../postgres-text.ts'

interface HeadsRequest extends Omit<ResultPageRequest, 'limit'> {
  readonly flowId: string
  /** Selected of each, besides its number. */
  readonly columns: string
  readonly most: number
}

interface Heads<Row> {
  readonly heads: readonly Row[]
  /** The number of the last one that was looked at, when others may follow. */
  readonly end: number | undefined
}

const binding = (values: (string | number)[]) => (value: string | number) =>
  `$${values.push(typeof value === 'string' ? storableText(value) : value)}`

/**
 * Finds results that are not erased without reading them. Compared as rows, in an order that the index of kept results alone
 * has: by their numbers alone, the plan may be to go through all that were erased.
 */
export async function findHeads<Row extends { readonly number: number }>(
  query: Query,
  { flowId, columns, most, filter = {}, ...page }: HeadsRequest,
): Promise<Heads<Row>> {
  const values: (string | number)[] = []
  const bind = binding(values)
  const flow = bind(flowId)
  const isEarliest = page.order === 'earliest'
  const [outer, comes, direction] = isEarliest ? ['<=', '>', ''] : ['>=', '<', 'DESC']
  const beyond = (number: number, more = '') =>
    `(r.flow_id, r.number) ${comes}${more} (${flow}, ${bind(number)})`
  const some = [
    `r.flow_id ${outer} ${flow} AND ${beyond(startOf(page))} AND NOT r.is_erased`,
    ...timeConditions(filter, 'r.created_at', bind),
  ].join(' AND ')
  const inOrder = `ORDER BY r.flow_id ${direction}, r.number ${direction} LIMIT`
  const given = [...values]
  const reachOf = async (most: number) => {
    const [reach] = await query<Reach>(
      `SELECT count(*) AS count, sum(size)::bigint AS bytes, ${isEarliest ? 'max' : 'min'}(number) AS "end"
       FROM (SELECT r.number, r.size FROM results r WHERE ${some} ${inOrder} ${most}) AS looked`,
      given,
    )
    return reach as Reach
  }
  const lastPassed = async () => {
    const [last] = await query<Row>(
      `SELECT r.number FROM results r WHERE ${some} ${inOrder} 1 OFFSET ${mostPassed - 1}`,
      given,
    )
    return last?.number
  }
  const end = asksForText(filter)
    ? await endOfSearch(reachOf)
    : asksForVisit(filter)
      ? await lastPassed()
      : undefined
  const opposite = isEarliest ? '<=' : '>='
  const bounds = end === undefined ? [] : [`(r.flow_id, r.number) ${opposite} (${flow}, ${bind(end)})`]
  const sought = [...visitConditions(filter, bind), ...textConditions(filter, bind)]
  const conditions = [some, ...bounds, ...sought].join(' AND ')
  const heads = await query<Row>(
    `SELECT r.number, ${columns} FROM results r WHERE ${conditions} ${inOrder} ${most + 1}`,
    values,
  )
  if (heads.length <= most) return { heads, end }
  const found = heads.slice(0, most)
  return { heads: found, end: found.at(-1)?.number }
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

/** Undefined where it goes to the end. */
async function endOfSearch(reachOf: (most: number) => Promise<Reach>): Promise<number | undefined> {
  let most: number = mostSearched.results
  for (;;) {
    const reach = await reachOf(most)
    const fewer = shorterReach(reach)
    if (fewer === undefined) return reach.count < most ? undefined : (reach.end ?? undefined)
    most = fewer
  }
}

/** By an aggregate, as EXISTS may be planned as one look at the lines of all results. */
function textConditions(filter: ResultFilter, bind: (value: string) => string): string[] {
  return textPatterns(filter).map(({ like, isBesideMarks }) => {
    const pattern = bind(like)
    const isFound = (text: string) =>
      `${text} COLLATE "C" ILIKE ${pattern}${isBesideMarks ? ` OR ${hasMarks(text)}` : ''}`
    return `(${isFound('r.base')} OR (SELECT bool_or(${isFound('t.line')}) FROM result_turns t WHERE t.result = r.number))`
  })
}
