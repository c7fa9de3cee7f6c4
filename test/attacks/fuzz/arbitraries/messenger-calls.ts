import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import {
  asOperator,
  assistantToken,
  type Call,
  call,
  header,
  hostileSegment,
  messengerAccounts,
  mutated,
  path,
  segment,
} from './call-parts.ts'
import { hostileText, hostileValue } from './hostile.ts'
import { jsonText } from './json-text.ts'
import { edits, rareEdits } from './mutation.ts'

const { telegram, whatsapp } = messengerAccounts

const channel = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('/v1/channels/desk', '/v1/channels/telegram') },
  { weight: 1, arbitrary: path('/v1/channels/', hostileSegment) },
)

const settings = {
  account: 'telegram',
  flow: 'lead-form',
  flows: [{ flow: 'product-quiz', words: ['quiz'], adIds: ['1'] }],
  optOutWords: ['stop'],
  hours: {
    timeZone: 'Europe/Paris',
    open: [{ days: ['monday'], from: '09:00', to: '17:00' }],
    text: 'We are closed',
  },
}

const invitation = fc.record({
  contact: fc.record({ user: fc.constantFrom('33612345678', '7', 'FR.1') }),
  template: fc.constant({ name: 'order', language: 'fr' }),
  key: fc.constantFrom('a', 'b', 'c'),
  consent: fc.constant({ at: '2026-11-21T09:17:01.712Z', text: 'Yes', source: 'shop' }),
  variables: fc.constantFrom({ Name: 'Ada' }, { __proto__: 'x' }, {}),
})

/** Somebody of a few, so that some go on. */
const person = fc.nat(3).map((nth) => 4711 + nth)
const number = fc.nat(100_000)

const said = fc.oneof(
  hostileText,
  fc.constantFrom('hi', '1', '1, 2', '/start', '/help', 'stop', 'start', 'a@b.example'),
)

const press = fc.oneof(
  fc.tuple(fc.nat(5), fc.nat(5)).map((at) => `r:${at.join(':')}`),
  hostileText,
)

const file = { file_id: 'f', file_unique_id: 'f', file_size: 10, mime_type: 'image/png' }

const content = fc.oneof(
  said.map((text) => ({ text })),
  said.map((caption) => ({ photo: [{ ...file, width: 1, height: 1 }], caption })),
  fc.constantFrom(
    { voice: file },
    { document: { ...file, file_name: '../x' } },
    { location: { latitude: 48.8, longitude: 1e300 } },
    { contact: { phone_number: '336', user_id: 4711 } },
    { sticker: file },
    {},
  ),
)

const update = fc.record({ id: number, from: person, content, press, kind: fc.nat(4) }).map((made) => {
  const chat = { id: made.from, type: 'private' }
  const from = { id: made.from, is_bot: false, first_name: 'Ada', language_code: 'en' }
  const message = { message_id: 1, date: 1_790_000_000, chat, from, ...made.content }
  const update_id = made.id
  if (made.kind === 0) return { update_id, edited_message: message }
  if (made.kind === 1) return { update_id, callback_query: { id: 'q', from, message, data: made.press } }
  return { update_id, message }
})

const status = fc.record({
  id: fc.constantFrom('wamid.1', 'x'),
  status: fc.constantFrom('sent', 'delivered', 'read', 'failed', 'other'),
  timestamp: fc.constantFrom('1790000000', 'soon'),
  biz_opaque_callback_data: hostileText,
  errors: fc.constantFrom([], [{ code: 131_047 }], [{ code: 'x' }]),
})

const waMessage = fc.record({ id: number, from: person, text: said, press, kind: fc.nat(4) }).map((made) => {
  const { id, from, text, kind } = made
  const common = { id: `wamid.${id}`, from: `336${from}`, timestamp: '1790000000' }
  if (kind === 0)
    return { ...common, type: 'image', image: { id: '1', mime_type: 'image/png', caption: text } }
  if (kind === 1)
    return {
      ...common,
      type: 'interactive',
      interactive: { type: 'button_reply', button_reply: { id: made.press } },
    }
  if (kind === 2) return { ...common, type: text.slice(0, 20), [text.slice(0, 20)]: {} }
  return { ...common, type: 'text', text: { body: text } }
})

const batch = fc
  .record({
    messages: fc.array(waMessage, { maxLength: 4 }),
    statuses: fc.array(status, { maxLength: 3 }),
    contacts: fc.array(hostileValue, { maxLength: 2 }),
  })
  .map((value) => ({
    object: 'whatsapp_business_account',
    entry: [
      {
        changes: [
          { field: 'messages', value: { metadata: { phone_number_id: whatsapp.phoneNumberId }, ...value } },
        ],
      },
    ],
  }))

/** Signed as it is sent, whatever it says. */
function signed({ body, ...made }: Call): Call {
  const text = jsonText(body)
  const hex = createHmac('sha256', whatsapp.appSecret).update(text).digest('hex')
  return {
    ...made,
    headers: { ...made.headers, 'x-hub-signature-256': `sha256=${hex}` },
    body,
    text,
    bytes: [],
  }
}

const question = fc.record(
  {
    name: fc.constantFrom('every-input', 'answer', 'none'),
    arguments: fc.oneof(
      fc.constantFrom({}, { Answer: 'x' }, { handle: '<handle>' }, { handle: '<handle>', text: 'yes' }),
      fc.dictionary(fc.constantFrom('Answer', '__proto__', 'handle', 'text'), hostileText),
    ),
    requestState: fc.constantFrom('<state>', '', 'AAAA'),
    inputResponses: hostileValue.map((answer) => ({ question: { action: 'accept', content: { answer } } })),
    uri: fc.constantFrom('ui://flow-runtime/every-input', 'ui://x'),
    protocolVersion: fc.constantFrom('2025-11-25', '2025-06-18', '1'),
    _meta: fc.constantFrom(
      {},
      {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {}, url: {} } },
      },
    ),
  },
  { requiredKeys: [] },
)

const methods = [
  'tools/call',
  'tools/call',
  'tools/list',
  'resources/read',
  'resources/list',
  'initialize',
  'ping',
]

const rpc = fc.record(
  {
    jsonrpc: fc.constant('2.0'),
    id: fc.constantFrom(1, 'a', 1e300),
    method: fc.oneof(fc.constantFrom(...methods), hostileText),
    params: question,
  },
  { requiredKeys: ['jsonrpc', 'method'] },
)

/** A call with the headers that repeat what it says, as a client of the latest specification sends it. */
function repeated({ body, ...made }: Call): Call {
  const { method, params = {} } = (body ?? {}) as {
    method?: unknown
    params?: { name?: unknown; uri?: unknown }
  }
  const name = params?.name ?? params?.uri
  const says = (value: unknown) => typeof value === 'string' && /^[\x21-\x7e]{1,100}$/.test(value)
  const headers = {
    ...made.headers,
    'mcp-protocol-version': '2026-07-28',
    ...(says(method) && { 'mcp-method': String(method) }),
    ...(says(name) && { 'mcp-name': String(name) }),
  }
  return { ...made, body, headers }
}

const assistant = call({
  path: path('/mcp'),
  headers: { authorization: `Bearer ${assistantToken}` },
  body: mutated(rpc, rareEdits),
})

/** Requests of messengers and of assistants, and of operators about them. */
export const messengerCalls = {
  putChannel: call({
    ...asOperator,
    method: 'PUT',
    path: channel,
    body: mutated(fc.constant(settings), edits),
  }),
  getChannel: call({ ...asOperator, method: 'GET', path: channel }),
  listChannels: call({ ...asOperator, method: 'GET', path: path('/v1/channels') }),
  deleteChannel: call({ ...asOperator, method: 'DELETE', path: path('/v1/channels/', segment('desk')) }),
  channelDeliveries: call({
    ...asOperator,
    method: 'GET',
    path: path(channel, '/deliveries?limit=', header('1', '501', '-1')).map((made) => encodeURI(made)),
  }),
  retryChannel: call({
    ...asOperator,
    path: path(channel, fc.constantFrom('/retry', '/deliveries/1/retry')),
  }),
  invite: call({
    ...asOperator,
    path: fc.constantFrom('/v1/channels/whatsapp/invite', '/v1/channels/telegram/invite'),
    body: mutated(invitation, rareEdits),
  }),
  confirmWebhook: call({
    method: 'GET',
    path: path(
      '/v1/channels/whatsapp/webhook?hub.mode=subscribe&hub.challenge=17&hub.verify_token=',
      segment(whatsapp.verifyToken),
    ),
  }),
  receiveTelegram: call({
    path: path('/v1/channels/telegram/webhook'),
    headers: { 'x-telegram-bot-api-secret-token': telegram.secretToken },
    body: mutated(update, rareEdits),
  }),
  receiveWhatsApp: call({
    path: path('/v1/channels/whatsapp/webhook'),
    body: mutated(batch, rareEdits),
  }).map(signed),
  callTool: fc.oneof(assistant, assistant.map(repeated)),
} satisfies Record<string, fc.Arbitrary<Call>>
