import { wholeDefinition } from '../../../support/conformance.ts'
import { signEvent } from '../../../vendors/stripe.ts'
import { type Json, type Row, tokenPath } from '../world.ts'
import { filled } from './bodies.ts'
import { textInput, times, variable } from './flows.ts'
import { stream } from './streams.ts'

/** Characters of an answer that is read as JSON. */
const most = 2 * 1024 * 1024

/** Objects or lists that are read of one, but for those around them. */
const mostRows = 39_900

/** Bytes of what a vendor sends by itself. */
const mostOfEvent = 256 * 1024

/** Accounts at vendors that are all at this address. */
export const accountsAt = (url: string): Json[] => [
  { id: 'table', type: 'nocodb', data: { apiKey: 'key', baseUrl: url } },
  { id: 'assistant', type: 'dify-ai', data: { apiKey: 'key', apiEndpoint: url } },
  { id: 'voice', type: 'elevenlabs', data: { apiKey: 'key', baseUrl: url } },
  { id: 'model', type: 'anthropic', data: { apiKey: 'key', baseUrl: url } },
  {
    id: 'sheets',
    type: 'google sheets',
    data: {
      refresh_token: 'refresh-1',
      client_id: 'client',
      client_secret: 'secret',
      token_uri: url + tokenPath,
      baseUrl: url,
    },
  },
  {
    id: 'shop',
    type: 'stripe',
    data: { live: { secretKey: 'sk_1', publicKey: 'pk_1', webhookSecret: 'whsec_1' }, baseUrl: url },
  },
]

const calls = (type: string, credentialsId: string, options: Json): Json => ({
  id: 'call',
  type,
  options: { credentialsId, ...options },
})

/** What the log says where nothing was done with an answer. */
const isUnread = ({ logs }: Json) => /could not|can not be read/.test(JSON.stringify(logs ?? []))

/** A flow that calls a vendor, which answers every call of the turn with this. */
const answer = (name: string, block: Json, text: () => string, isRead = true): Row => ({
  name,
  async prepare({ other, preview, say }) {
    other.answerWith(text())
    const blocks = [textInput('first'), block, textInput('last')]
    const sessionId = await preview(wholeDefinition({ id: 'draft', blocks, variables: [variable('T')] }))
    return async () => {
      const { body } = await say(sessionId, { type: 'text', text: 'go' })
      if (isUnread(body) === isRead) throw new Error(JSON.stringify(body).slice(0, 1_000))
    }
  },
})

const comparison = { id: 'f', column: 'A', comparisonOperator: 'Contains', value: '9' }
const filter = { comparisons: [comparison] }

const search = (returnType: string) =>
  calls('nocodb', 'table', {
    action: 'Search Records',
    tableId: 't1',
    returnType,
    responseMapping: [{ fieldName: 'A', variableId: 'vT' }],
  })

const ofSheet = (options: Json) =>
  calls('Google Sheets', 'sheets', { spreadsheetId: 's1', sheetId: '0', filter, ...options })

/** A spreadsheet and its rows in one answer. */
const sheetOf = (titles: string, count: number, row: string) =>
  `{"sheets":[{"properties":{"sheetId":0,"title":"T"}}],"values":[[${titles}],${row.repeat(count)}[]]}`

const rows = () => sheetOf('"A","B"', mostRows, '["9","b"],')

const listOf = (records: readonly string[]) => `{"list":[${records.join()}]}`

const mapped = { responseMapping: [{ variableId: 'vT' }] }
const assistant = calls('dify-ai', 'assistant', { action: 'Create Chat Message', query: 'Hi', ...mapped })
const model = calls('anthropic', 'model', {
  action: 'Create Chat Message',
  model: 'tiny',
  messages: [{ role: 'user', content: 'Hi' }],
  ...mapped,
})

const speech = calls('elevenlabs', 'voice', {
  action: 'Convert text to speech',
  text: 'Hi',
  voiceId: 'v1',
  saveUrlInVariableId: 'vT',
})

const event = (made: Json) => `data: ${JSON.stringify(made)}\n\n`

const confirmed = (name: string, text: () => string, secret?: string): Row => ({
  name,
  prepare({ post }) {
    const made = text()
    const headers = { 'stripe-signature': signEvent(made, Date.now(), secret) }
    return async () => {
      const { status } = await post('/v1/webhooks/stripe/shop', made, headers)
      if (status !== (secret === undefined ? 200 : 400)) throw new Error(`It was answered ${status}`)
    }
  },
})

const longEvent = () =>
  filled((nth) => `"k${nth % 10_000}":${nth},`, {
    begin: '{"type":"payment_intent.succeeded","data":{"object":{"metadata":{"reference":"none"},',
    end: '"end":0}}}',
    length: mostOfEvent,
  })

/** What vendors may answer, and tell by themselves. */
export const vendors: readonly Row[] = [
  answer('records, all of them', search('All'), () => listOf(times(mostRows, (nth) => `{"A":"${nth}"}`))),
  answer('records, the last of them', search('Last'), () =>
    listOf(times(mostRows, () => `{"A":"${'x'.repeat(40)}"}`)),
  ),
  answer(
    'rows of a sheet',
    ofSheet({ action: 'Get data from sheet', cellsToExtract: [{ column: 'A', variableId: 'vT' }] }),
    rows,
  ),
  answer(
    'rows of a sheet that are changed',
    ofSheet({ action: 'Update a row', cellsToUpsert: [{ column: 'B', value: '{{T}}' }] }),
    rows,
  ),
  answer(
    'rows of a sheet that many comparisons filter',
    ofSheet({
      action: 'Get data from sheet',
      filter: { comparisons: times(200, (nth) => ({ ...comparison, id: `f${nth}` })) },
      cellsToExtract: times(200, () => ({ column: 'A', variableId: 'vT' })),
    }),
    () => sheetOf('"A"', mostRows, '["x"],'),
  ),
  answer(
    'rows of a sheet that has many titles',
    ofSheet({
      action: 'Update a row',
      filter: { comparisons: [{ ...comparison, column: 't1' }] },
      cellsToUpsert: times(500, (nth) => ({ column: `t${nth}`, value: 'y' })),
    }),
    () => sheetOf(times(100_000, (nth) => `"t${nth}"`).join(), mostRows, '["x","9"],'),
  ),
  answer('an answer of an assistant', assistant, () =>
    filled(() => 'x', { begin: '{"answer":"', end: '"}', length: most }),
  ),
  answer('a sound', speech, () => 'x'.repeat(5_000_000)),
  answer('lists inside each other', assistant, () => '['.repeat(most), false),
  stream('pieces of an assistant', () => event({ event: 'message', answer: 'a' }).repeat(60_000), {
    block: assistant,
  }),
  stream(
    'pieces of a model',
    () =>
      event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'a' } }).repeat(
        40_000,
      ),
    { block: model },
  ),
  confirmed('an event of a payment', longEvent),
  confirmed('an event that somebody else has signed', longEvent, 'other'),
]
