import { timeConditions, visitConditions } from '../../../codec/result-conditions.ts'
import { asksForVisit, mostPassed, mostSearched } from '../../../codec/result-filter.ts'
import { type VisitColumns, visitColumns } from '../../../codec/result-visit.ts'
import { hasMarks, textPatterns } from '../../../codec/text-pattern.ts'
import { asksForText, type ResultFilter, type ResultPageRequest } from '../../../result-store.ts'
import type { Database } from '../binding.ts'

/** Asks for results beyond the one of a number. */
export interface ResultHeadsRequest {
  readonly flowId: string
  readonly beyond: number
  readonly limit: number
  readonly filter: ResultFilter
  readonly order?: ResultPageRequest['order']
}

interface ResultHead extends VisitColumns {
  readonly number: number
  readonly id: string
  readonly size: number
}

/** Finds results without their texts: so many at most, and the number of the last one that was looked at, when others may follow. */
export function findHeads(
  database: Database,
  { flowId, beyond, limit, filter, order }: ResultHeadsRequest,
): { readonly heads: readonly ResultHead[]; readonly end: number | undefined } {
  const [comes, until, direction] = order === 'earliest' ? ['>', '<=', ''] : ['<', '>=', 'DESC']
  const values: (string | number)[] = []
  const bind = (value: string | number) => `?${values.push(value)}`
  const some = [
    `flow_id = ${bind(flowId)}`,
    `number ${comes} ${bind(beyond)}`,
    ...timeConditions(filter, 'created', bind),
  ].join(' AND ')
  const inOrder = `ORDER BY number ${direction} LIMIT`
  const reachOf = (most: number) =>
    database
      .prepare(
        `SELECT count(*) AS count, sum(size) AS bytes, ${order === 'earliest' ? 'max' : 'min'}(number) AS end
         FROM (SELECT number, size FROM results WHERE ${some} ${inOrder} ${most})`,
      )
      .get(...values) as Reach
  const lastPassed = () =>
    database
      .prepare(`SELECT number AS end FROM results WHERE ${some} ${inOrder} 1 OFFSET ${mostPassed - 1}`)
      .get(...values) as { readonly end: number } | undefined
  const end = asksForText(filter)
    ? endOfSearch(reachOf)
    : asksForVisit(filter)
      ? lastPassed()?.end
      : undefined
  const bounds = end === undefined ? [] : [`number ${until} ${bind(end)}`]
  const sought = [...visitConditions(filter, bind), ...textConditions(filter, bind)]
  const conditions = [some, ...bounds, ...sought].join(' AND ')
  const heads = database
    .prepare(
      `SELECT number, id, size, ${visitColumns} FROM results WHERE ${conditions} ${inOrder} ${limit + 1}`,
    )
    .all(...values) as ResultHead[]
  if (heads.length <= limit) return { heads, end }
  const found = heads.slice(0, limit)
  return { heads: found, end: found.at(-1)?.number }
}

/** Counts among so many results, the latest first, of a filter that asks for no text; and the number of the last one, when others may follow. */
export function countHeads(
  database: Database,
  { flowId, beyond, limit, filter }: ResultHeadsRequest,
): { readonly count: number; readonly last: number | undefined } {
  const values: (string | number)[] = []
  const bind = (value: string | number) => `?${values.push(value)}`
  const some = `flow_id = ${bind(flowId)} AND number < ${bind(beyond)}`
  const sought = [...timeConditions(filter, 'created', bind), ...visitConditions(filter, bind)]
  const { passed, count, last } = database
    .prepare(
      `SELECT count(*) AS passed, count(*) FILTER (WHERE is_sought) AS count, min(number) AS last FROM (
         SELECT number, ${sought.join(' AND ') || '1 = 1'} AS is_sought FROM results
         WHERE ${some} ORDER BY number DESC LIMIT ${limit})`,
    )
    .get(...values) as { readonly passed: number; readonly count: number; readonly last: number }
  return { count, last: passed < limit ? undefined : last }
}

/** How far a request for a text would go through results. */
interface Reach {
  readonly count: number
  readonly bytes: number | null
  /** The number of the last one; null where there is none. */
  readonly end: number | null
}

/** The number of the last one of so many that are not too large together; undefined where they go to the end. */
function endOfSearch(reachOf: (most: number) => Reach): number | undefined {
  let most: number = mostSearched.results
  for (;;) {
    const { count, bytes, end } = reachOf(most)
    if (count <= 1 || Number(bytes) <= mostSearched.bytes)
      return count < most ? undefined : (end ?? undefined)
    most = count >> 1
  }
}

function textConditions(filter: ResultFilter, bind: (value: string) => string): string[] {
  return textPatterns(filter).map(({ like, isBesideMarks }) => {
    const isFound = `line LIKE ${bind(like)} ESCAPE '\\'${isBesideMarks ? ` OR ${hasMarks('line')}` : ''}`
    return `EXISTS (SELECT 1 FROM result_lines WHERE result = results.number AND (${isFound}))`
  })
}
