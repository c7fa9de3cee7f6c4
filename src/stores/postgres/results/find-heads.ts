import { timeConditions, visitConditions } from '../../codec/result-conditions.ts'
import { startOf } from '../../codec/result-cursor.ts'
import { asksForVisit, mostPassed } from '../../codec/result-filter.ts'
import type { ResultPageRequest } from '../../result-store.ts'
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

/**
 * Finds results that are not erased without reading them. Compared as rows, in an order that the index of kept results alone
 * has: by their numbers alone, the plan may be to go through all that were erased.
 */
export async function findHeads<Row extends { readonly number: number }>(
  query: Query,
  { flowId, columns, most, filter = {}, ...page }: HeadsRequest,
): Promise<Heads<Row>> {
  const values: (string | number)[] = []
  const bind = (value: string | number) =>
    `$${values.push(typeof value === 'string' ? storableText(value) : value)}`
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
  const [last] = asksForVisit(filter)
    ? await query<Row>(`SELECT r.number FROM results r WHERE ${some} ${inOrder} 1 OFFSET ${mostPassed - 1}`, [
        ...values,
      ])
    : []
  const opposite = isEarliest ? '<=' : '>='
  const bounds = last ? [`(r.flow_id, r.number) ${opposite} (${flow}, ${bind(last.number)})`] : []
  const conditions = [some, ...bounds, ...visitConditions(filter, bind)].join(' AND ')
  const heads = await query<Row>(
    `SELECT r.number, ${columns} FROM results r WHERE ${conditions} ${inOrder} ${most + 1}`,
    values,
  )
  if (heads.length <= most) return { heads, end: last?.number }
  const found = heads.slice(0, most)
  return { heads: found, end: found.at(-1)?.number }
}
