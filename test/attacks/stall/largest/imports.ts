import { textInput } from '../../../fixtures/short-flows.ts'
import { wholeDefinition } from '../../../support/conformance.ts'
import type { Row } from '../world.ts'

/** As many as a table may have. */
const most = 500

const columns = Array.from({ length: most }, (_, index) => `c${index}`)
const personal = columns.map((name) => `p${name}`)

/** Has a variable for each column, and an input that saves in it. */
export const filled = wholeDefinition({
  id: 'filled',
  publicId: 'filled',
  variables: [
    ...columns.map((name) => ({ id: name, name })),
    ...personal.map((name) => ({ id: name, name, sensitivity: 'personal' })),
  ],
  blocks: [...columns, ...personal].map((name) => textInput(`i-${name}`, name)),
})

interface Table {
  readonly columns: readonly string[]
  readonly rows: number
  cell(row: number, column: number): string
}

/** Rows of one attempt are no rows of the next. */
let nextKey = 0

const table = (name: string, { columns, rows, cell }: Table): Row => ({
  name,
  prepare(world) {
    const body = {
      columns,
      rows: Array.from({ length: rows }, (_, row) => ({
        key: String(nextKey++),
        createdAt: '2025-06-03T14:15:00Z',
        cells: columns.map((_, column) => cell(row, column)),
      })),
    }
    return async () => {
      const answer = await world.post('/v1/flows/filled/results/import', body)
      // What is refused was not measured.
      if (answer.body['imported'] !== rows) throw new Error(JSON.stringify(answer).slice(0, 500))
    }
  },
})

/** Each is about as large as a body may be. */
export const imports: readonly Row[] = [
  table('as many cells as a table may have', { columns, rows: 490, cell: () => 'a' }),
  table('as many rows', { columns: columns.slice(0, 1), rows: most, cell: () => 'a'.repeat(2000) }),
  table('cells that are personal, each another', {
    columns: personal,
    rows: 240,
    cell: (row, column) => `m${(row * 7 + column) % 900}`,
  }),
  table('long ones that are personal', {
    columns: personal.slice(0, 200),
    rows: 40,
    cell: (row, column) => `${row}-${column}-`.padEnd(100, 'm'),
  }),
]
