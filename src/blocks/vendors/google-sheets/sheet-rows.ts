import type { GoogleSheetsBlock } from '../../../../schemas/blocks/vendors.ts'
import { operators } from '../../../engine/conditions/comparison-operators.ts'
import type { RunContext } from '../../../engine/model/block-handler.ts'
import { ask, type Effects, isUnfinished } from '../../../engine/model/effects.ts'

type Options = NonNullable<GoogleSheetsBlock['options']>
type Filter = NonNullable<Options['filter']>
type Comparison = NonNullable<Filter['comparisons']>[number]

interface SheetRow {
  /** Number of the row, from 1. */
  readonly number: number
  readonly cells: readonly string[]
}

export interface SheetRows {
  readonly titles: readonly string[]
  /** Index of the column of a title, from 0; the first of those that share one. */
  readonly columns: ReadonlyMap<string, number>
  readonly rows: readonly SheetRow[]
}

/** The rows below the titles, without those that are empty. */
export function readRows(values: unknown): SheetRows {
  const [titles = [], ...others] = Array.isArray(values) ? values.map(textsOf) : []
  const columns = new Map<string, number>()
  for (const [at, title] of titles.entries()) if (title !== '' && !columns.has(title)) columns.set(title, at)
  const rows = others.flatMap((cells, index) =>
    cells.every((cell) => cell === '') ? [] : [{ number: index + 2, cells }],
  )
  return { titles, columns, rows }
}

/** The cell below a title: empty where its row is shorter, undefined where the sheet has no such column. */
export function cellOf({ columns }: SheetRows, { cells }: SheetRow, title: string): string | undefined {
  const at = columns.get(title)
  return at === undefined ? undefined : (cells[at] ?? '')
}

function textsOf(row: unknown): string[] {
  return Array.isArray(row)
    ? row.map((cell) => (cell === null || cell === undefined ? '' : String(cell)))
    : []
}

/** The filter of the block; up to version 5 one cell that had to be equal. Undefined for none at all. */
export function rowFilterOf({ filter, referenceCell }: Options): Filter | undefined {
  if (filter?.comparisons && filter.comparisons.length > 0) return filter
  const { column, value } = referenceCell ?? {}
  if (column === undefined || value === undefined) return undefined
  return { comparisons: [{ id: '', column, comparisonOperator: 'Equal to', value }] }
}

/** Comparisons after which others get a chance to be served. */
const comparisonsPerYield = 4_096

/** The rows that meet a filter; one comparison is enough unless the filter asks for all. */
export function* filterRows(
  sheet: SheetRows,
  { comparisons = [], logicalOperator }: Filter,
  context: RunContext,
): Effects<readonly SheetRow[]> {
  const isEveryNeeded = logicalOperator === 'AND'
  const found: SheetRow[] = []
  let compared = 0
  for (const row of sheet.rows) {
    let meets = isEveryNeeded
    for (const comparison of comparisons) {
      const cell = cellOf(sheet, row, comparison.column ?? '')
      const isMet = compareCell(cell, comparison, context)
      meets = isUnfinished(isMet) ? yield* isMet : isMet
      // The budget of the turn and the time of the block bound this loop.
      if (++compared % comparisonsPerYield === 0) yield* ask({ type: 'yield' })
      if (meets !== isEveryNeeded) break
    }
    if (meets) found.push(row)
  }
  return found
}

function compareCell(
  cell: string | undefined,
  { column, comparisonOperator, value = '' }: Comparison,
  context: RunContext,
): boolean | Effects<boolean> {
  if (column === undefined || comparisonOperator === undefined) return false
  const operator = operators[comparisonOperator as keyof typeof operators]
  context.spend(1)
  return operator === undefined ? false : operator(cell || null, value, context)
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

/**
 * Start of a text that a spreadsheet reads as a formula, or as a mention of a person, if values are read as if typed.
 */
const begins = /^\s*[=+\-@]/

const plainNumber = /^\s*[+-]?\d+(?:[.,]\d+)*%?\s*$/

/**
 * A value as it is written. If values are read as if typed, one that could be a formula is marked as text: it may come
 * from a visitor, and a formula can send the sheet anywhere.
 */
export function writtenValue(value: string, parsesValues: boolean): string {
  return parsesValues && begins.test(value) && !plainNumber.test(value) ? `'${value}` : value
}

/** Option by which the vendor reads written values. */
export const inputOption = (parsesValues: boolean) => (parsesValues ? 'USER_ENTERED' : 'RAW')
