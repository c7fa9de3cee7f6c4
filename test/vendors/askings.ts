import { createSmtpMailer } from '../../src/adapters/mailer/smtp-mailer.ts'
import { resultOwner } from '../../src/uploads/upload-path.ts'
import type { Json } from '../support/json.ts'
import { defaultLimits } from '../support/limits.ts'
import { sandbox } from '../support/sandbox.ts'
import { openFiles } from './open-files.ts'
import type { VendorRun } from './run-vendor-block.ts'

/** Part of whatever an account holds that nobody may learn. */
export const secret = 'secret-of-the-account-0001'

/** A call of a vendor with what its account holds. Where it brings an answer, that goes to the variable `Out`. */
export interface Asking extends Pick<VendorRun, 'type' | 'options'> {
  /** That of the block unless given. */
  readonly accountType?: string
  readonly account: (url: string) => Json
}

const publicUrl = 'https://bot.example'

const keyed = (type: string, options: Json): Asking => ({
  type,
  options,
  account: (baseUrl) => ({ apiKey: secret, baseUrl }),
})

const mapped = { responseMapping: [{ variableId: 'vOut' }] }
const question = { model: 'tiny-1', messages: [{ role: 'user', content: 'Hi' }], ...mapped }

/** What a person has granted to the operator, at Google. */
const granted = (baseUrl: string): Json => ({
  refresh_token: secret,
  client_id: 'client-1',
  client_secret: secret,
  token_uri: `${baseUrl}/token`,
  baseUrl,
  email: 'shop@gmail.example',
})

/** A call of everything that blocks call with an account, by what it is told apart by. */
export const askings: Readonly<Record<string, Asking>> = {
  blink: keyed('blink', {
    action: 'Get Users',
    filter: { type: 'User ID', userId: 'u1' },
    responseMapping: [{ item: 'Emails', variableId: 'vOut' }],
  }),
  'chat-node': keyed('chat-node', { action: 'Send Message', botId: 'b1', message: 'Hi', ...mapped }),
  elevenlabs: keyed('elevenlabs', {
    action: 'Convert text to speech',
    text: 'Hi',
    voiceId: 'v1',
    saveUrlInVariableId: 'vOut',
  }),
  'dify-ai': {
    type: 'dify-ai',
    options: { action: 'Create Chat Message', query: 'Hi', ...mapped },
    account: (apiEndpoint) => ({ apiKey: secret, apiEndpoint }),
  },
  gmail: {
    type: 'gmail',
    options: { action: 'Send email', to: 'ada@mail.example', body: 'Hi', ...mapped },
    account: granted,
  },
  'google sheets': {
    type: 'Google Sheets',
    accountType: 'google sheets',
    options: {
      action: 'Get data from sheet',
      spreadsheetId: 's1',
      sheetId: '0',
      cellsToExtract: [{ column: 'A', variableId: 'vOut' }],
    },
    account: granted,
  },
  nocodb: keyed('nocodb', {
    action: 'Search Records',
    tableId: 't1',
    responseMapping: [{ fieldName: 'A', variableId: 'vOut' }],
  }),
  posthog: {
    type: 'posthog',
    options: { action: 'Capture', event: 'seen', distinctId: 'd1' },
    account: (host) => ({ apiKey: secret, host }),
  },
  segment: keyed('segment', { action: 'Track', userId: 'u1', eventName: 'seen' }),
  'a speech': keyed('openai', {
    action: 'Create speech',
    input: 'Hi',
    voice: 'alloy',
    saveUrlInVariableId: 'vOut',
  }),
  'a transcription': keyed('openai', {
    action: 'Create transcription',
    url: `${publicUrl}/uploads/private/${resultOwner('result-1')}/said.webm`,
    transcriptionVariableId: 'vOut',
  }),
  'a model': keyed('openai', { action: 'Create chat completion', ...question }),
  'a model of older flows': {
    type: 'OpenAI',
    accountType: 'openai',
    options: {
      task: 'Create chat completion',
      messages: question.messages,
      responseMapping: [{ valueToExtract: 'Message content', variableId: 'vOut' }],
    },
    account: (baseUrl) => ({ apiKey: secret, baseUrl }),
  },
  'a model that remembers': keyed('openai', {
    action: 'Ask Model',
    model: 'tiny-1',
    message: 'Hi',
    ...mapped,
  }),
  anthropic: keyed('anthropic', { action: 'Create Chat Message', ...question }),
}

const spreadsheet = { properties: { title: 'S' }, sheets: [{ properties: { sheetId: 0, title: 'T' } }] }
const cells = [{ column: 'A', value: 'new' }]
const filter = { comparisons: [{ id: 'f', column: 'A', comparisonOperator: 'Equal to', value: 'x' }] }
const inSheet = (options: Json): Asking =>
  ofOptions('google sheets', { spreadsheetId: 's1', sheetId: '0', ...options })
const inTable = (options: Json): Asking => ofOptions('nocodb', { tableId: 't1', ...options })
const newRecord = inTable({ action: 'Create Record', fields: [{ key: 'Orders', value: '7' }] })
const links = { columns: [{ id: 'c1', title: 'Orders', uidt: 'LinkToAnotherRecord' }] }

const newRow = inSheet({ action: 'Insert a row', cellsToInsert: cells })

/** Another call of the same vendor. */
export function ofOptions(name: string, options: Json): Asking {
  return { ...(askings[name] as Asking), options }
}

/** A call, and what comes before it. */
export interface PlacedAsking {
  readonly asking: Asking
  /** The one of `askings` whose vendor it calls. */
  readonly like: string
  /** What the calls before it are answered. */
  readonly answers: readonly unknown[]
}

/** Vendors whose answer is a file, of whatever bytes. */
export const answersWithFile: ReadonlySet<string> = new Set(['elevenlabs', 'a speech'])

/** Every call: those of `askings`, those that they do not make, and those that come behind others. */
export const everyAsking: Readonly<Record<string, PlacedAsking>> = {
  ...Object.fromEntries(
    Object.entries(askings).map(([like, asking]) => [like, { asking, like, answers: [] }]),
  ),
  'a knowledge base': {
    asking: {
      ...ofOptions('dify-ai', {
        action: 'Query Knowledge Base',
        datasetId: 'd1',
        query: 'Hi',
        ...mapped,
      }),
      account: (apiEndpoint) => ({ knowledgeApiKey: secret, apiEndpoint }),
    },
    like: 'dify-ai',
    answers: [],
  },
  'a card in feeds': {
    asking: ofOptions('blink', {
      action: 'Send Feed Event',
      userIds: ['u1'],
      sections: [{ id: 's1', type: 'Header', title: 'News' }],
      responseMapping: [{ item: 'Event ID', variableId: 'vOut' }],
    }),
    like: 'blink',
    answers: [],
  },
  'a new record': { asking: newRecord, like: 'nocodb', answers: [] },
  'the fields of a new record': { asking: newRecord, like: 'nocodb', answers: [{ Id: 4 }] },
  'the links of a new record': { asking: newRecord, like: 'nocodb', answers: [{ Id: 4 }, links] },
  'changed records': {
    asking: inTable({
      action: 'Update Existing Record',
      updates: [{ fieldName: 'City', value: 'Oslo' }],
      filter: { comparisons: [{ input: 'City', operator: 'Equal to', value: 'Lyon' }] },
    }),
    like: 'nocodb',
    answers: [{ list: [{ Id: 1 }] }],
  },
  'the rows of a sheet': {
    asking: askings['google sheets'] as Asking,
    like: 'google sheets',
    answers: [spreadsheet],
  },
  'the titles of a sheet': { asking: newRow, like: 'google sheets', answers: [spreadsheet] },
  'a new row': { asking: newRow, like: 'google sheets', answers: [spreadsheet, { values: [['A']] }] },
  'changed rows': {
    asking: inSheet({ action: 'Update a row', cellsToUpsert: cells, filter }),
    like: 'google sheets',
    answers: [spreadsheet, { values: [['A'], ['x']] }],
  },
}

/** A payment, which is a question: what follows is for those who have paid. */
export const payment: Asking = {
  type: 'payment input',
  accountType: 'stripe',
  options: { amount: '5', variableId: 'vOut' },
  account: (baseUrl) => ({
    live: { secretKey: secret, publicKey: 'pk_live_1' },
    test: { secretKey: secret, publicKey: 'pk_test_1' },
    baseUrl,
  }),
}

/** A call at an address, in a world where it has all that it needs. */
export async function runOf({ accountType, account, ...asking }: Asking, url: string): Promise<VendorRun> {
  const { files } = await openFiles()
  await files.save({ owner: resultOwner('result-1'), name: 'said.webm', isPrivate: true }, sound(), 100)
  return {
    ...asking,
    accountType: accountType ?? asking.type,
    account: account(url),
    variables: { Out: 'old' },
    chat: {
      mailer: createSmtpMailer(),
      limits: { ...defaultLimits, wholeTurnMs: 800 },
      files,
      publicUrl,
      sandbox,
    },
  }
}

async function* sound() {
  yield Buffer.from('sound')
}
