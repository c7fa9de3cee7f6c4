import { timeConditions, visitConditions } from '../../../codec/result-conditions.ts'
import { asksForVisit, mostPassed } from '../../../codec/result-filter.ts'
import { type VisitColumns, visitColumns } from '../../../codec/result-visit.ts'
import type { ResultFilter, ResultPageRequest } from '../../../result-store.ts'
import type { Database } from '../binding.ts'

/** Asks for results beyond the one of a number. */
export interface ResultRequest {
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
  { flowId, beyond, limit, filter, order }: ResultRequest,
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
  const last = asksForVisit(filter)
    ? database
        .prepare(`SELECT number FROM results WHERE ${some} ${inOrder} 1 OFFSET ${mostPassed - 1}`)
        .get(...values)
    : undefined
  const end = (last as { number: number } | undefined)?.number
  const bounds = end === undefined ? [] : [`number ${until} ${bind(end)}`]
  const conditions = [some, ...bounds, ...visitConditions(filter, bind)].join(' AND ')
  const heads = database
    .prepare(
      `SELECT number, id, size, ${visitColumns} FROM results WHERE ${conditions} ${inOrder} ${limit + 1}`,
    )
    .all(...values) as ResultHead[]
  if (heads.length <= limit) return { heads, end }
  const found = heads.slice(0, limit)
  return { heads: found, end: found.at(-1)?.number }
}
