import { join } from 'node:path'
import pg from 'pg'
import { updatedResult } from '../../src/stores/codec/apply-result-update.ts'
import { writeResult } from '../../src/stores/codec/result-codec.ts'
import { searchedTexts } from '../../src/stores/codec/searched-texts.ts'
import type { Count } from '../../src/stores/counts/turn-facts.ts'
import type { ResultUpdate } from '../../src/stores/result-store.ts'
import { loadBinding, usualBinding } from '../../src/stores/sqlite/thread/binding.ts'
import { type Month, surveyPlaces, surveyVersion } from './month.ts'

const places = JSON.stringify(surveyPlaces)

/** Rows of one statement. */
const atOnce = 5000

type Row = readonly (string | number)[]

function resultRow(update: ResultUpdate): Row {
  const text = writeResult(updatedResult(undefined, update))
  const { version = '', path = '', cohort = '', place = '', askedAt = 0 } = update.visit ?? {}
  const { said = '', held = '' } = searchedTexts(update) ?? {}
  return [update.id, update.now, text, version, path, cohort, place, askedAt, said, held]
}

const countRow = ({ hour, kind, name, count }: Count): Row => [hour, kind, name, count]

/** Writes a month into the file of a folder that the service has made and does not use. */
export async function loadFolder(folder: string, month: Month): Promise<void> {
  const { DatabaseSync } = await loadBinding(usualBinding())
  const database = new DatabaseSync(join(folder, 'data.db'))
  const result = database.prepare(
    `INSERT INTO results (flow_id, id, created, changed, room, size, version, path, cohort, place, asked_at)
     VALUES ('survey', ?1, ?2, ?2, 4096, length(?3), ?4, ?5, ?6, ?7, ?8) RETURNING number`,
  )
  const line = database.prepare('INSERT INTO result_lines (result, line) VALUES (?, ?)')
  const count = database.prepare(`INSERT INTO counts VALUES ('survey', '${surveyVersion}', ?, ?, ?, ?)`)
  database.exec('PRAGMA synchronous = OFF; BEGIN')
  for (const update of month.results) {
    const row = resultRow(update)
    const { number } = result.get(...row.slice(0, 8)) as { number: number }
    line.run(number, row[2] as string)
  }
  for (const each of month.counts) count.run(...countRow(each))
  database.prepare(`INSERT INTO count_versions VALUES ('survey', ?, ?)`).run(surveyVersion, places)
  database.exec('COMMIT')
  database.close()
}

/** Writes a month into a database that the service has made. */
export async function loadDatabase(connectionString: string, month: Month): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const send = async (statement: string, rows: readonly Row[]) => {
    for (let start = 0; start < rows.length; start += atOnce)
      await client.query(statement, [JSON.stringify(rows.slice(start, start + atOnce))])
  }
  const given = 'SELECT v FROM json_array_elements($1::json) AS v'
  const results = `INSERT INTO results (flow_id, id, created_at, changed_at, size, room, base, version, path, cohort, place, asked_at,
      said, held, covered)
    SELECT 'survey', v->>0, (v->>1)::bigint, (v->>1)::bigint, length(v->>2), 4096, v->>2, v->>3, v->>4, v->>5, v->>6, (v->>7)::bigint,
      v->>8, v->>9, length(v->>2)
    FROM (${given}) AS given`
  let rows: Row[] = []
  for (const update of month.results) {
    rows.push(resultRow(update))
    if (rows.length < atOnce) continue
    await send(results, rows)
    rows = []
  }
  await send(results, rows)
  const counts = `INSERT INTO counts (flow_id, version, hour, kind, name, count)
    SELECT 'survey', '${surveyVersion}', (v->>0)::integer, v->>1, v->>2, (v->>3)::bigint FROM (${given}) AS given`
  await send(counts, month.counts.map(countRow))
  await client.query('INSERT INTO count_versions VALUES ($1, $2, $3)', ['survey', surveyVersion, places])
  await client.query('ANALYZE')
  await client.end()
}
