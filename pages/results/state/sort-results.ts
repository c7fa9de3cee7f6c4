import type { Column } from './describe-answers.ts'
import type { Result } from './wire.ts'

const collator = new Intl.Collator(undefined, { numeric: true })

/** Sorts results by a column: those without a value come last in either direction, equal ones stay in their order. */
export function sortResults(
  results: readonly Result[],
  { rank }: Pick<Column, 'rank'>,
  isRising: boolean,
): readonly Result[] {
  const ranked = results.map((result) => ({ result, value: rank(result) }))
  const factor = isRising ? 1 : -1
  ranked.sort(({ value: one }, { value: other }) => {
    if (one === undefined || other === undefined)
      return Number(one === undefined) - Number(other === undefined)
    if (typeof one === 'number' && typeof other === 'number') return factor * (one - other)
    return factor * collator.compare(String(one), String(other))
  })
  return ranked.map(({ result }) => result)
}
