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
