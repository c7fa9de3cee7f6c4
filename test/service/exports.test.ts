import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, it, onTestFinished } from 'vitest'
import type { Analytics } from '../../schemas/analytics.ts'
import { createAnalytics } from '../../src/analytics/read-analytics.ts'
import type { Table, TableRow } from '../../src/exports/table.ts'
import { type ExportedFile, type TableFormat, tableFile } from '../../src/exports/table-file.ts'
import { Results } from '../../src/results/results-service.ts'
import { countedFlow, drawsOf, replyTo } from '../support/counted-flow.ts'
import { fixedPorts } from '../support/fixed-ports.ts'
import { createTestChat } from '../support/start.ts'
import { parseWire } from '../support/wire.ts'

/** Asks a database of another maker about a file: `FILE` in the question stands for it. */
async function ask({ pieces, extension }: ExportedFile, question: string) {
  const folder = mkdtempSync(join(tmpdir(), 'exported-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, `file.${extension}`)
  const bytes: Buffer[] = []
  for await (const piece of pieces) bytes.push(Buffer.from(piece))
  writeFileSync(path, Buffer.concat(bytes))
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  onTestFinished(() => connection.closeSync())
  const reader = extension === 'parquet' ? 'read_parquet' : extension === 'csv' ? 'read_csv' : 'read_json'
  const answer = await connection.runAndReadAll(question.replaceAll('FILE', `${reader}('${path}')`))
  return answer.getRowObjectsJson()
}

async function* batchesOf(rows: readonly TableRow[], size: number): AsyncGenerator<readonly TableRow[]> {
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size)
}

const columns = [
  { name: 'text', type: 'text' },
  { name: 'at', type: 'time' },
  { name: 'yes', type: 'truth' },
  { name: 'count', type: 'count' },
  { name: 'number', type: 'number' },
  { name: 'more', type: 'json' },
] as const satisfies Table['columns']

const time = Date.UTC(2026, 10, 21, 9, 17, 1, 712)

it('writes every kind of cell, and none, for Parquet', async () => {
  const rows: TableRow[] = [
    ['Zoë "Ω", 🙂\n', time, true, 9_007_199_254_740_991, 1.5, { a: ['x', null] }],
    [undefined, undefined, undefined, undefined, undefined, undefined],
    ['', 0, false, 0, -0.25, []],
  ]
  const file = tableFile({ columns, rows: batchesOf(rows, 2) }, 'parquet')
  expect(await ask(file, 'SELECT * REPLACE (epoch_ms("at") AS "at") FROM FILE')).toEqual([
    {
      text: 'Zoë "Ω", 🙂\n',
      at: String(time),
      yes: true,
      count: '9007199254740991',
      number: 1.5,
      more: '{"a":["x",null]}',
    },
    { text: null, at: null, yes: null, count: null, number: null, more: null },
    { text: '', at: '0', yes: false, count: '0', number: -0.25, more: '[]' },
  ])
})

it('writes a table without rows, which still has its columns', async () => {
  const file = tableFile({ columns, rows: batchesOf([], 1) }, 'parquet')
  expect(await ask(file, 'SELECT count(*)::INT AS rows, count(text)::INT AS texts FROM FILE')).toEqual([
    { rows: 0, texts: 0 },
  ])
})

it.each(['ndjson', 'csv', 'parquet'] as const)('writes many groups of rows as %s', async (format) => {
  const rows = Array.from(
    { length: 9001 },
    (_, nth): TableRow => [`t${nth}`, time + nth, nth % 2 === 0, nth, nth / 2, { nth }],
  )
  const file = tableFile({ columns, rows: batchesOf(rows, 700) }, format)
  const question = `SELECT count(*)::INT AS rows, sum(count)::INT AS sum, max(number)::DOUBLE AS most,
    count(DISTINCT text)::INT AS texts, count(*) FILTER (WHERE yes)::INT AS even FROM FILE`
  const sum = (9000 * 9001) / 2
  expect(await ask(file, question)).toEqual([{ rows: 9001, sum, most: 4500, texts: 9001, even: 4501 }])
})

/** Conversations of a flow, as their operator gets them. */
async function visited(visitors: number) {
  const draw = drawsOf(5)
  const world = createTestChat([countedFlow], { ports: { ...fixedPorts(), random: draw } })
  for (let visitor = 0; visitor < visitors; visitor++) {
    let answer = parseWire(
      await world.chat.startPublished({ publicId: 'counted', origin: undefined, body: {} }),
    )
    const sessionId = answer['sessionId'] as string
    for (let question = 'name?'; answer['input'] !== undefined; ) {
      const message = replyTo(question, draw)
      if (message === undefined) break
      const request = {
        sessionId,
        origin: undefined,
        caller: { kind: 'anonymous' },
        body: { message },
      } as const
      answer = parseWire(await world.chat.continue(request))
      question = /"text":"([a-z]+\?)"/.exec(JSON.stringify(answer['messages']))?.[1] ?? question
    }
  }
  const flow = { publicId: 'counted', actor: 'ann' }
  const [results, analytics] = [new Results(world), createAnalytics(world)]
  return {
    world,
    read: () => analytics.read(flow),
    results: (format: TableFormat) => results.export({ ...flow, format }),
    counts: (format: TableFormat) => analytics.export({ ...flow, format, version: undefined }),
  }
}

const ofBlock = ({ blocks }: Analytics, id: string) => blocks.find(({ blockId }) => blockId === id)

it.each(['ndjson', 'csv', 'parquet'] as const)(
  'exports results and counts as %s that come to the same',
  async (format) => {
    const { results, counts, read, world } = await visited(450)
    const analytics = await read()
    const started = format === 'ndjson' ? 'hasStarted' : '"hasStarted"'
    const question = `SELECT count(*)::INT AS conversations, count(*) FILTER (WHERE ${started})::INT AS started FROM FILE`
    const { conversations } = analytics
    expect(await ask(await results(format), question)).toEqual([
      { conversations, started: analytics.started },
    ])
    const sums = `SELECT sum(count) FILTER (WHERE kind = 'path')::INT AS conversations,
    sum(count) FILTER (WHERE kind = 'shown' AND "blockId" = 'mail')::INT AS shown,
    sum(count) FILTER (WHERE kind = 'item' AND "itemId" = 'heads')::INT AS heads FROM FILE`
    const heads = analytics.items.find(({ itemId }) => itemId === 'heads')?.count
    const { shown } = ofBlock(analytics, 'mail') ?? {}
    expect(await ask(await counts(format), sums)).toEqual([{ conversations, shown, heads }])
    expect(world.audit).toEqual([
      { actor: 'ann', action: 'export', subject: 'counted', detail: `results as ${format}: all` },
      { actor: 'ann', action: 'export', subject: 'counted', detail: `counts as ${format}` },
    ])
  },
)

it('exports paths by which another database counts a funnel as the service does', async () => {
  const { results, counts, world } = await visited(300)
  const funnel = ['mail', 'name', 'draw']
  const { funnel: counted } = await createAnalytics(world).read({ publicId: 'counted', funnel })
  const passed = funnel.map((id) => `json_contains(visited, '"${id}"')`).join(' AND ')
  const expected = [{ through: counted?.at(-1)?.conversations }]
  const ofResults = `SELECT count(*)::INT AS through FROM FILE WHERE ${passed}`
  expect(await ask(await results('parquet'), ofResults)).toEqual(expected)
  const ofCounts = `SELECT sum(count)::INT AS through FROM FILE WHERE kind = 'path' AND ${passed}`
  expect(await ask(await counts('parquet'), ofCounts)).toEqual(expected)
})
