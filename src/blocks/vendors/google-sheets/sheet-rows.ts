import type { GoogleSheetsBlock } from '../../../../schemas/blocks/vendors/google-sheets.ts'
import { operators } from '../../../engine/conditions/comparison-operators.ts'
import type { RunContext } from '../../../engine/model/block-handler.ts'
import { type Effects, finish } from '../../../engine/model/effects.ts'

type Options = NonNullable<GoogleSheetsBlock['options']>
type Filter = NonNullable<Options['filter']>
type Comparison = NonNullable<Filter['comparisons']>[number]

/** A row of a sheet: cells by the title of their column, and where the row stands, counted from 1. */
export interface SheetRow {
  readonly number: number
  readonly cells: ReadonlyMap<string, string>
}

/** The rows below the titles, without those that are empty. */
export function readRows(values: unknown): {
  readonly titles: readonly string[]
  readonly rows: readonly SheetRow[]
} {
  const [header = [], ...others] = Array.isArray(values) ? values.map(textsOf) : []
  const rows = others.flatMap((cells, index) => {
    if (cells.every((cell) => cell === '')) return []
    const named = header.flatMap((title, at) => (title === '' ? [] : [[title, cells[at] ?? ''] as const]))
    return [{ number: index + 2, cells: new Map(named) }]
  })
  return { titles: header, rows }
}

function textsOf(row: unknown): string[] {
  return Array.isArray(row)
    ? row.map((cell) => (cell === null || cell === undefined ? '' : String(cell)))
    : []
}

/** The filter of the block; up to version 5 one cell that had to be equal. Undefined for none at all. */
export function filterOf({ filter, referenceCell }: Options): Filter | undefined {
  if (filter?.comparisons && filter.comparisons.length > 0) return filter
  const { column, value } = referenceCell ?? {}
  if (column === undefined || value === undefined) return undefined
  return { comparisons: [{ id: '', column, comparisonOperator: 'Equal to', value }] }
}

/** The rows that meet a filter; one comparison is enough unless the filter asks for all. */
export function* filterRows(
  rows: readonly SheetRow[],
  { comparisons = [], logicalOperator }: Filter,
  context: RunContext,
): Effects<readonly SheetRow[]> {
  const isEveryNeeded = logicalOperator === 'AND'
  const found: SheetRow[] = []
  for (const row of rows) {
    let meets = isEveryNeeded
    for (const comparison of comparisons) {
      meets = yield* compareCell(row, comparison, context)
      if (meets !== isEveryNeeded) break
    }
    if (meets) found.push(row)
  }
  return found
}

function* compareCell(
  { cells }: SheetRow,
  { column, comparisonOperator, value = '' }: Comparison,
  context: RunContext,
): Effects<boolean> {
  if (column === undefined || comparisonOperator === undefined) return false
  const operator = operators[comparisonOperator as keyof typeof operators]
  const cell = cells.get(column)
  context.spend(1)
  return operator === undefined ? false : yield* finish(operator(cell || null, value, context))
}

/** The letters of a column, counted from 0: A, Z, AA. */
export function columnName(index: number): string {
  const rest = Math.floor(index / 26)
  return (rest > 0 ? columnName(rest - 1) : '') + String.fromCharCode(65 + (index % 26))
}

/** The title of a sheet as a range needs it. */
export function quoteTitle(title: string): string {
  return `'${title.replaceAll("'", "''")}'`
}
