import { join } from 'node:path'
import pg from 'pg'
import { loadBinding, usualBinding } from '../../src/stores/sqlite/thread/binding.ts'

interface Multiplied {
  readonly table: 'sessions' | 'results'
  readonly rows: number
}

type Query = <Row>(statement: string) => Promise<readonly Row[]>

/** Columns of a table that are written, and what of a copy is its own; names of times differ between the stores. */
interface Copying extends Multiplied {
  readonly columns: readonly string[]
  readonly endedAt: number
  readonly id: string
  readonly series: string
}

const hourMs = 3_600_000

/**
 * Copies the one row of a table that a service has left, with its text and an id of its own each, as one that ended an hour ago,
 * or two for results, which leave an hour late. Returns when that was.
 */
export async function multiplyRows(
  variables: Readonly<Record<string, string>>,
  { table, rows }: Multiplied,
): Promise<number> {
  const endedAt = Date.now() - (table === 'results' ? 2 * hourMs : 0)
  await withDatabase(variables, async (query, isFolder) => {
    const names = isFolder
      ? `SELECT name FROM pragma_table_info('${table}')`
      : `SELECT column_name AS name FROM information_schema.columns
         WHERE table_schema = current_schema() AND table_name = '${table}' AND is_generated = 'NEVER'`
    const columns = (await query<{ name: string }>(names)).map(({ name }) => name)
    const id = isFolder ? 'lower(hex(randomblob(10)))' : 'substr(md5(random()::text), 1, 21)'
    const series = isFolder
      ? `(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows}) SELECT i FROM n)`
      : `generate_series(1, ${rows}) AS i`
    await query(copying({ table, rows, columns, endedAt, id, series }))
    if (table === 'results' && isFolder)
      await query(`INSERT INTO result_lines (result, line)
        SELECT number, (SELECT group_concat(line, char(10)) FROM result_lines) FROM results
        WHERE number NOT IN (SELECT result FROM result_lines)`)
    if (!isFolder) await query('VACUUM ANALYZE')
  })
  return endedAt
}

function copying({ table, columns, endedAt, id, series }: Copying): string {
  const own: Readonly<Record<string, string>> = {
    id,
    expires: `${endedAt}`,
    changed: `${endedAt}`,
    changed_at: `${endedAt}`,
    due: 'NULL',
  }
  const copied = columns.filter((name) => name !== 'number')
  const given = copied.map((name) => own[name] ?? `first.${name}`)
  return `INSERT INTO ${table} (${copied.join()}) SELECT ${given.join()}
    FROM (SELECT * FROM ${table} LIMIT 1) AS first, ${series}`
}

/** How many rows a table has. */
export async function countRows(
  variables: Readonly<Record<string, string>>,
  table: Multiplied['table'],
): Promise<number> {
  let count = 0
  await withDatabase(variables, async (query) => {
    const [row] = await query<{ count: number }>(`SELECT count(*) AS count FROM ${table}`)
    count = Number(row?.count)
  })
  return count
}

async function withDatabase(
  { DATA_DIR, DATABASE_URL = '' }: Readonly<Record<string, string>>,
  work: (query: Query, isFolder: boolean) => Promise<void>,
): Promise<void> {
  if (DATA_DIR === undefined) {
    const client = new pg.Client({ connectionString: DATABASE_URL })
    await client.connect()
    await work(async (statement) => (await client.query(statement)).rows, false)
    await client.end()
  } else {
    const { DatabaseSync } = await loadBinding(usualBinding())
    const database = new DatabaseSync(join(DATA_DIR, 'data.db'))
    await work(async <Row>(statement: string) => database.prepare(statement).all() as unknown as Row[], true)
    database.close()
  }
}
