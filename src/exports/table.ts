/** Text, a moment in milliseconds since 1970, a whole number, any number, or anything that JSON can say. */
type CellType = 'text' | 'time' | 'truth' | 'count' | 'number' | 'json'

export interface TableColumn {
  readonly name: string
  readonly type: CellType
}

/** A value for each column; undefined for nothing. */
export type TableRow = readonly unknown[]

/** Rows that come in batches, so that any number of them takes little room. */
export interface Table {
  readonly columns: readonly TableColumn[]
  readonly rows: AsyncIterable<readonly TableRow[]>
}
