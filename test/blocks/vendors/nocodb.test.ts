import { Type } from '@sinclair/typebox'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeWhereClause } from '../../../src/blocks/vendors/nocodb/where-clause.ts'
import { runVendorBlock } from '../../vendors/run-vendor-block.ts'
import { startStrictVendor } from '../../vendors/strict-vendor.ts'

const rows = [
  { Id: 1, Email: 'ada@mail.example', City: 'Lyon' },
  { Id: 2, Email: 'bob@mail.example', City: null },
  { Id: 3, Email: 'cy@mail.example', City: 'Oslo' },
]

const wherePattern =
  /^\([^(),~]+,(?:eq|ne|gt|lt|like|is|isnot),[^()~]*\)(?:~(?:and|or)\([^(),~]+,\w+,[^()~]*\))*$/

/** A base of one table, as NocoDB documents its version 2. */
const startNocodb = () =>
  startStrictVendor({
    headers: { 'xc-token': 'nocodb-token-1' },
    refuse: (_status, msg) => ({ msg }),
    routes: [
      {
        method: 'GET',
        path: /^\/api\/v2\/tables\/people\/records$/,
        query: ['where', 'viewId', 'limit'],
        answer: ({ query }) => {
          const where = query.get('where')
          if (where !== null && !wherePattern.test(where)) return { status: 400, json: { msg: 'bad where' } }
          const email = /\(Email,eq,([^()]*)\)/.exec(where ?? '')?.[1]
          const list = rows.filter((row) => email === undefined || row.Email === email)
          return { json: { list, pageInfo: { totalRows: 5000 } } }
        },
      },
      {
        method: 'POST',
        path: /^\/api\/v2\/tables\/people\/records$/,
        body: Type.Record(Type.String(), Type.String()),
        answer: () => ({ json: { Id: 4 } }),
      },
      {
        method: 'PATCH',
        path: /^\/api\/v2\/tables\/people\/records$/,
        body: Type.Array(Type.Object({ Id: Type.Number() })),
        answer: () => ({ json: [] }),
      },
      {
        method: 'GET',
        path: /^\/api\/v2\/meta\/tables\/people$/,
        answer: () => ({
          json: {
            columns: [
              { id: 'col1', title: 'Email', uidt: 'SingleLineText' },
              { id: 'col2', title: 'Orders', uidt: 'LinkToAnotherRecord' },
            ],
          },
        }),
      },
      {
        method: 'POST',
        path: /^\/api\/v2\/tables\/people\/links\/col2\/records\/\d+$/,
        body: Type.Array(Type.Object({ Id: Type.Union([Type.String(), Type.Number()]) })),
        answer: () => ({ json: true }),
      },
    ],
  })

async function run(options: Record<string, unknown>, random?: readonly number[]) {
  const server = await startNocodb()
  const result = await runVendorBlock({
    type: 'nocodb',
    account: { apiKey: 'nocodb-token-1', baseUrl: `${server.url}/` },
    options: { tableId: 'people', ...options },
    variables: { City: 'old', Email: 'old' },
    ...(random && { random }),
  })
  const sent = server.requests.map(({ method, target, body }) => ({ method, target, body }))
  return { ...result, sent }
}

const mapping = { responseMapping: [{ fieldName: 'Email', variableId: 'vEmail' }] }
const byEmail = (value: string) => ({
  filter: { comparisons: [{ input: 'Email', operator: 'Equal to', value }] },
})

describe('NocoDB, searching', () => {
  it.each([
    ['All', ['ada@mail.example', 'bob@mail.example', 'cy@mail.example']],
    ['First', 'ada@mail.example'],
    ['Last', 'cy@mail.example'],
  ])('returns of a large table: %s', async (returnType, expected) => {
    const { variables } = await run({ action: 'Search Records', returnType, ...mapping })
    expect(variables['Email']).toEqual(expected)
  })

  it('picks one of those that came', async () => {
    const { variables } = await run({ action: 'Search Records', returnType: 'Random', ...mapping }, [0.5])
    expect(variables['Email']).toBe('bob@mail.example')
  })

  it('reports a field that no row has, and keeps one that is empty', async () => {
    const { variables, visitorLogs } = await run({
      action: 'Search Records',
      ...byEmail('bob@mail.example'),
      responseMapping: [
        { fieldName: 'City', variableId: 'vCity' },
        { fieldName: 'Country', variableId: 'vEmail' },
      ],
    })
    expect(variables['City']).toBeUndefined()
    expect(visitorLogs).toEqual([
      { status: 'error', description: 'Field Country does not exist in the table' },
    ])
  })

  it('says when nothing matches', async () => {
    const { visitorLogs } = await run({
      action: 'Search Records',
      ...byEmail('zoe@mail.example'),
      ...mapping,
    })
    expect(visitorLogs).toMatchObject([
      { status: 'info', description: "Couldn't find any rows matching the filter" },
    ])
  })

  it('never lets a value change the filter', () => {
    const operators = fc.constantFrom('Equal to', 'Contains', 'Starts with', 'Greater than')
    fc.assert(
      fc.property(fc.string(), operators, (value, operator) => {
        const clause = writeWhereClause({ comparisons: [{ input: 'Email', operator, value }] })
        if (!clause.ok) return
        const inside = clause.where?.slice(1, -1) ?? ''
        expect(inside).not.toMatch(/[()~]/)
        expect(inside.startsWith('Email,')).toBe(true)
      }),
    )
  })
})

describe('NocoDB, writing', () => {
  it('creates a record, and links it', async () => {
    const fields = [
      { key: 'Email', value: 'new@mail.example' },
      { key: 'Orders', value: '["7", "8"]' },
    ]
    const { sent, visitorLogs } = await run({ action: 'Create Record', fields })
    expect(visitorLogs).toEqual([])
    expect(sent.map(({ method, target }) => `${method} ${target}`)).toEqual([
      'POST /api/v2/tables/people/records',
      'GET /api/v2/meta/tables/people',
      'POST /api/v2/tables/people/links/col2/records/4',
    ])
    expect(sent.at(-1)?.body).toBe('[{"Id":"7"},{"Id":"8"}]')
  })

  it('changes the records that match, and no others', async () => {
    const updates = [{ fieldName: 'City', value: 'Rome' }]
    const { sent } = await run({ action: 'Update Existing Record', ...byEmail('cy@mail.example'), updates })
    expect(sent.find(({ method }) => method === 'PATCH')?.body).toBe('[{"Id":3,"City":"Rome"}]')
  })

  it('changes nothing when none matches', async () => {
    const updates = [{ fieldName: 'City', value: 'Rome' }]
    const { sent } = await run({ action: 'Update Existing Record', ...byEmail('zoe@mail.example'), updates })
    expect(sent.map(({ method }) => method)).toEqual(['GET'])
  })
})
