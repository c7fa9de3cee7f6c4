import { ask, type Effects } from '../../../engine/model/effects.ts'
import type { Assignment } from '../../../engine/model/step.ts'

/** Which part of an answer goes into which variable. */
interface ResponseItem {
  readonly item?: string
  readonly variableId?: string
}

/** The marks of a vendor's block whose `responseMapping` is read by `assignItems`. */
export const mappingMarks = { calls: true, mapping: { option: 'responseMapping', counts: 'last' } } as const

/** A text or number of an answer; undefined for any other value. */
export function plainPart(part: unknown): string | number | undefined {
  return typeof part === 'string' || typeof part === 'number' ? part : undefined
}

/** Writes parts of an answer to variables; a part that is missing leaves its variable alone. */
export function assignItems(
  rows: readonly ResponseItem[] | undefined,
  parts: Readonly<Record<string, unknown>>,
  usualItem: string,
): Assignment[] {
  return (rows ?? []).flatMap(({ item = usualItem, variableId }) => {
    const value = Object.hasOwn(parts, item) ? parts[item] : undefined
    return variableId === undefined || value === undefined || value === null ? [] : [{ variableId, value }]
  })
}

/** Picks all rows, the first, the last, or one that is drawn at random; none of none. */
export function* pickRows<Row>(
  rows: readonly Row[],
  which: 'All' | 'First' | 'Last' | 'Random' = 'All',
): Effects<readonly Row[]> {
  switch (which) {
    case 'All':
      return rows
    case 'First':
      return rows.slice(0, 1)
    case 'Last':
      return rows.slice(-1)
    case 'Random': {
      const at = Math.floor((yield* ask({ type: 'random' })) * rows.length)
      return rows.slice(at, at + 1)
    }
  }
}

/** A row of a list of names and values. */
interface KeyValueRow {
  readonly key?: string | undefined
  readonly value?: string | undefined
}

/** The rows as one object; rows that lack a name or a value are left out, and of one name the last row counts. */
export function objectOfRows(rows: readonly KeyValueRow[] | undefined): Record<string, string> {
  const pairs = (rows ?? []).flatMap(({ key, value }) =>
    key === undefined || value === undefined ? [] : [[key, value] as const],
  )
  return Object.fromEntries(pairs)
}

/** The same data without the properties whose text is empty, at any depth. */
export function omitEmptyTexts<T>(value: T): T {
  return omit(value) as T
}

function omit(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(omit)
  const kept = Object.entries(value).filter(([, part]) => part !== '')
  return Object.fromEntries(kept.map(([name, part]) => [name, omit(part)]))
}
