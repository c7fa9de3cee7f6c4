import { hasMarks, textPatterns } from '../../codec/text-pattern.ts'
import type { ResultFilter } from '../../result-store.ts'
import type { Query } from '../postgres-database.ts'
import { storableText } from '../postgres-text.ts'

interface LinesRequest {
  readonly numbers: readonly number[]
  readonly filter: ResultFilter
}

/**
 * Which of some results may have the text of a filter, by all that is written of them. By an aggregate, as EXISTS may be
 * planned as one look at the lines of all results.
 */
export async function linesWith(
  query: Query,
  { numbers, filter }: LinesRequest,
): Promise<ReadonlySet<number>> {
  const patterns = textPatterns(filter)
  const conditions = patterns.map(({ isBesideMarks }, index) => {
    const isFound = (text: string) =>
      `${text} COLLATE "C" ILIKE $${index + 2}${isBesideMarks ? ` OR ${hasMarks(text)}` : ''}`
    return `(${isFound('r.base')} OR (SELECT bool_or(${isFound('t.line')}) FROM result_turns t WHERE t.result = r.number))`
  })
  const found = await query<{ number: number }>(
    `SELECT r.number FROM results r WHERE r.number = ANY($1::bigint[]) AND ${conditions.join(' AND ')}`,
    [numbers, ...patterns.map(({ like }) => storableText(like))],
  )
  return new Set(found.map(({ number }) => number))
}
