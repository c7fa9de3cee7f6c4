import { lazyModule } from '../lib/lazy-module.ts'
import type { Table, TableColumn, TableRow } from './table.ts'

type Library = typeof import('hyparquet-writer')

const library = lazyModule<Library>('hyparquet-writer')

/** Rows that are written together, and what they may hold: others are served between two groups. */
const mostRows = 2000
const mostCharacters = 1024 * 1024

const typeOf = {
  text: 'STRING',
  time: 'TIMESTAMP',
  truth: 'BOOLEAN',
  count: 'INT64',
  number: 'DOUBLE',
  json: 'JSON',
} as const

/** Writes a table as an Apache Parquet file, a group of rows at a time. Every column may be null. */
export async function* parquetFile({ columns, rows }: Table): AsyncGenerator<Uint8Array> {
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = library()
  const writer = new ByteWriter()
  const described = columns.map(({ name, type }) => ({ name, type: typeOf[type], data: [], nullable: true }))
  const schema = schemaFromColumnData({ columnData: described })
  const file = new ParquetWriter({ writer, schema, createdBy: 'flow-runtime' })
  /** Offsets stay those of the whole file. */
  const take = () => {
    const bytes = writer.getBytes().slice()
    writer.index = 0
    return bytes
  }
  for await (const group of groupsOf(rows)) {
    file.write({ columnData: columnsOf(group, columns), rowGroupSize: mostRows })
    yield take()
  }
  file.finish()
  yield take()
}

async function* groupsOf(rows: Table['rows']): AsyncGenerator<readonly TableRow[]> {
  let group: TableRow[] = []
  let characters = 0
  for await (const batch of rows)
    for (const row of batch) {
      group.push(row)
      characters += charactersOf(row)
      if (group.length < mostRows && characters < mostCharacters) continue
      yield group
      group = []
      characters = 0
    }
  if (group.length > 0) yield group
}

function charactersOf(row: TableRow): number {
  let length = 0
  for (const value of row)
    if (typeof value === 'string') length += value.length
    else if (typeof value === 'object') length += JSON.stringify(value).length
  return length
}

function columnsOf(group: readonly TableRow[], columns: readonly TableColumn[]) {
  return columns.map(({ name, type }, index) => ({
    name,
    data: group.map((row) => (type === 'count' ? wide(row[index]) : row[index])),
    offsetIndex: false,
  }))
}

const wide = (value: unknown) => (typeof value === 'number' ? BigInt(value) : undefined)
