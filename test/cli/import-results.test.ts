import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readMoment } from '../../src/cli/import-results/read-moment.ts'
import { serveChat } from '../fixtures/served-chat.ts'
import { bubble, group, rememberingFlow, textInput, variable } from '../fixtures/short-flows.ts'
import { adminTokens } from '../support/admin-tokens.ts'
import { callCommandLine } from '../support/call-command-line.ts'

const madeAt = Date.parse('2026-11-21T09:17:00Z')

describe('dates of a table', () => {
  it.each([
    ['Jun 3, 02:15 PM', 'UTC', '2026-06-03T14:15:00.000Z'],
    ['Dec 24, 12:05 AM', 'UTC', '2025-12-24T00:05:00.000Z'],
    ['Jun 3, 2024, 02:15\u202fPM', 'UTC', '2024-06-03T14:15:00.000Z'],
    ['3. Juni 2024, 14:15', 'Europe/Berlin', '2024-06-03T12:15:00.000Z'],
    ['3 juin 2024, 14:15', '+02:00', '2024-06-03T12:15:00.000Z'],
    ['1 févr., 09:05', 'UTC', '2026-02-01T09:05:00.000Z'],
    ['3 de jun. de 2024, 14:15', 'America/Sao_Paulo', '2024-06-03T17:15:00.000Z'],
    ['3 jun 2024, 2:15 p. m.', 'UTC', '2024-06-03T14:15:00.000Z'],
    ['2024-06-03T14:15:06.123Z', 'Europe/Berlin', '2024-06-03T14:15:06.123Z'],
    ['2024-06-03 14:15:06', 'Europe/Berlin', '2024-06-03T12:15:06.000Z'],
    ['2024-06-03', 'UTC', '2024-06-03T00:00:00.000Z'],
    ['Feb 29, 2024, 01:00 AM', 'UTC', '2024-02-29T01:00:00.000Z'],
  ])('reads %j in %s', (text, zone, moment) => {
    expect(new Date(readMoment(text, { zone, madeAt }) ?? Number.NaN).toISOString()).toBe(moment)
  })

  it.each([
    '',
    '6/3/2024',
    'Jun 3',
    'Feb 30, 2024, 01:00 AM',
    'Jun 3, 2024, 25:00',
    'Foo 3, 01:00 AM',
    '14:15',
  ])('takes %j for no date', (text) => {
    expect(readMoment(text, { zone: 'UTC', madeAt })).toBeUndefined()
  })
})

const flow = rememberingFlow({
  publicId: 'welcome',
  groups: [group('g1', bubble('b0', 'Who?'), textInput('b1', 'vName'), textInput('b2'))],
  variables: [variable('Name'), variable('Phone')],
})

async function open() {
  const { app, chat } = await serveChat([flow], { config: { adminTokens: adminTokens('4nn') } })
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const folder = mkdtempSync(join(tmpdir(), 'results-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'results.csv')
  const env = { FLOW_RUNTIME_URL: url, ADMIN_TOKEN: '4nn' }
  return {
    /** Imports a table of these lines. */
    async take(text: string, ...args: string[]) {
      writeFileSync(file, text)
      utimesSync(file, madeAt / 1000, madeAt / 1000)
      const { code, out, err } = await callCommandLine(['import', file, '--results', 'welcome', ...args], env)
      return { code, out: out.replaceAll(file, 'FILE'), err: err.replaceAll(file, 'FILE') }
    },
    async results() {
      const headers = { authorization: 'Bearer 4nn' }
      const response = await app.inject({ url: '/v1/flows/flow-1/results?limit=500', headers })
      return response.json().results as readonly {
        readonly id: string
        readonly answers: readonly object[]
      }[]
    },
    /** What the audit says of imports, the latest first. */
    audit: async () => chat.audit.map(({ detail }) => detail).reverse(),
    call: (...args: string[]) => callCommandLine(['import', ...args], env),
  }
}

const headers = 'Submitted at,Name,G1,Phone'

describe('flow-runtime import --results', () => {
  it('imports a table as editors export it, once', async () => {
    const { take, results } = await open()
    const table = [
      `\ufeff${headers}`,
      'Jun 3, 02:15 PM,Ada,"several\nlines, ""quoted""",\'+44 20 7946',
      'Jun 3, 02:15 PM,Ada,same,',
      'Jun 3, 02:15 PM,Ada,same,',
      '"Jun 2, 2024, 02:15 PM",Zoë,=1+1,',
    ]
    // Pages end in another way than their rows.
    const text = `${table.slice(0, 2).join('\r\n')}\n${table.slice(2).join('\r\n')}\n`
    const quoted = text.replaceAll(/^Jun 3, 02:15 PM/gm, '"Jun 3, 02:15 PM"')
    expect(await take(quoted)).toEqual({
      code: 0,
      out: 'Imported: 4 results into welcome\nTimes without a zone were read as those of UTC (--time-zone).\n',
      err: '',
    })
    const kept = await results()
    expect(kept).toHaveLength(4)
    expect(kept).toContainEqual(
      expect.objectContaining({
        createdAt: '2026-06-03T14:15:00.000Z',
        variables: [
          { name: 'Name', value: 'Ada' },
          { name: 'Phone', value: '+44 20 7946' },
        ],
        answers: [
          { blockId: 'b1', content: 'Ada' },
          { blockId: 'b2', content: 'several\nlines, "quoted"' },
        ],
      }),
    )
    const again = await take(quoted)
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining('imported before or erased: 4') })
    expect(await results()).toEqual(kept)
  })

  it('names row and column of what it does not take, and takes the others', async () => {
    const { take, results } = await open()
    const lines = [headers, '2024-06-03,Ada,x,', '2024-06-03,Ada', '3/6/24,Bob,x,', '2999-01-01,Eve,x,']
    const { code, out, err } = await take(lines.join('\n'))
    expect({ code, out }).toMatchObject({ code: 1, out: expect.stringContaining('Not taken: 3 rows') })
    expect(err.split('\n')).toEqual([
      'FILE: row 3: has 2 cells where the headers are 4',
      'FILE: row 4, column "Submitted at": "3/6/24" is no date in the past: write it as 2026-11-21T09:17:00Z',
      'FILE: row 5, column "Submitted at": "2999-01-01" is no date in the past: write it as 2026-11-21T09:17:00Z',
      '',
    ])
    expect(await results()).toHaveLength(1)
  })

  it('imports nothing while a column belongs nowhere, unless it is forced to', async () => {
    const { take, results } = await open()
    const table = 'Submitted at,Name,Gone\n2024-06-03,Ada,x\n'
    const refused = await take(table)
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining('FILE: column "Gone": no variable'),
    })
    expect(await results()).toEqual([])
    expect(await take(table, '--force')).toMatchObject({ code: 0 })
    expect(await results()).toHaveLength(1)
  })

  it.each([
    ['', 'row 1 names no column "Submitted at"'],
    ['Name;Submitted at\n', 'row 1 names no column "Submitted at"'],
    ['Submitted at,Other\n', 'refused with 400: /columns none is the name of a variable'],
    [`${headers}\n2024-06-03,"Ada`, 'no CSV: a quote that was opened before is not closed'],
    [`${headers}\n2024-06-03,"A"da,x,\n`, 'line 2 is no CSV: a quote within quotes is not doubled'],
  ])('says what is wrong with %j', async (text, reason) => {
    const { take } = await open()
    expect(await take(text)).toMatchObject({ code: 1, err: expect.stringContaining(reason) })
  })

  it('sends large tables in parts', async () => {
    const { take, results, audit } = await open()
    const rows = Array.from({ length: 1203 }, (_, nth) => `2024-06-03T14:15:00Z,Ada ${nth % 400},x,`)
    expect(await take([headers, ...rows].join('\r\n'), '--format', 'json')).toMatchObject({
      code: 0,
      out: expect.stringContaining('"imported": 1203'),
    })
    expect(await results()).toHaveLength(500)
    const details = await audit()
    const [, id = ''] = / import (\S+)$/.exec(details[0] ?? '') ?? []
    expect(details).toEqual([
      `203 results: part 3 of the import ${id}`,
      `500 results: part 2 of the import ${id}`,
      `500 results: part 1 of the import ${id}`,
    ])
  })

  it.each([
    [['nowhere.csv', '--results', 'welcome'], 'is no file'],
    [['a.csv', 'b.csv', '--results', 'welcome'], 'needs one file'],
    [['a.csv', '--results', 'welcome', '--out', 'x'], '--out is for flows'],
    [['a.csv', '--results', 'welcome', '--time-zone', 'Mars/Base'], 'is no zone'],
  ])('refuses %j', async (args, reason) => {
    const { call } = await open()
    expect(await call(...args)).toMatchObject({ code: 2, err: expect.stringContaining(reason) })
  })
})
