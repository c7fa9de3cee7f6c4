import { createHmac } from 'node:crypto'
import { wholeDefinition } from '../../../support/conformance.ts'
import type { Json, Row } from '../world.ts'
import { textInput, times, variable } from './flows.ts'

/** Bytes of what a messenger sends at once. */
const most = 3 * 1024 * 1024

const secret = 'secret-of-the-stall-suite'
const phoneNumberId = '106540352242922'

/** Token of an assistant. */
export const assistantToken = 'assistant-of-the-stall-suite-and-none-else'

/** Accounts at messengers which are all at this address. */
export const messengersAt = (baseUrl: string): Json[] => [
  { id: 'telegram', type: 'telegram', data: { botToken: '1:token', secretToken: secret, baseUrl } },
  {
    id: 'whatsapp',
    type: 'whatsapp',
    data: { accessToken: 'token', phoneNumberId, appSecret: secret, verifyToken: 'token', baseUrl },
  },
]

export const channelsOfMessengers: Json = {
  telegram: { account: 'telegram', flow: 'offered' },
  whatsapp: { account: 'whatsapp', flow: 'offered' },
}

/** A published flow for messengers and assistants. */
export const offered = wholeDefinition({
  id: 'offered',
  settings: { general: { mcp: { description: 'Asks', arguments: { Said: 'Anything' } } } },
  variables: [variable('Said')],
  blocks: [textInput('i1', 'vSaid'), textInput('i2', 'vSaid')],
})

const fill = (length: number) => 'x'.repeat(length)

const batch = (value: Json) =>
  JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      { changes: [{ field: 'messages', value: { metadata: { phone_number_id: phoneNumberId }, ...value } }] },
    ],
  })

/** A request of WhatsApp, signed; it is taken, unless it is to be refused. */
const ofWhatsApp = (name: string, body: () => string, status = 200): Row => ({
  name,
  prepare({ notify }) {
    const made = body()
    if (made.length > most) throw new Error(`${name} has ${made.length} bytes`)
    const hex = createHmac('sha256', secret).update(made).digest('hex')
    return async () => {
      const answered = await notify('/v1/channels/whatsapp/webhook', made, {
        'x-hub-signature-256': `sha256=${hex}`,
      })
      if (answered !== status) throw new Error(`${name} was answered ${answered}`)
    }
  },
})

const ofTelegram = (name: string, body: () => string, status = 200): Row => ({
  name,
  prepare({ notify }) {
    const made = body()
    return async () => {
      const headers = { 'x-telegram-bot-api-secret-token': secret }
      const answered = await notify('/v1/channels/telegram/webhook', made, headers)
      if (answered !== status) throw new Error(`${name} was answered ${answered}`)
    }
  },
})

/** A message of an assistant. */
const ofAssistant = (name: string, params: () => Json): Row => ({
  name,
  prepare({ post }) {
    const made = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: params() })
    const headers = { authorization: `Bearer ${assistantToken}` }
    return () => post('/mcp', made, headers)
  },
})

let count = 0
const message = (text: string) => {
  count += 1
  const from = `336${10_000_000 + count}`
  return { id: `wamid.${count}`, from, timestamp: '1790000000', type: 'text', text: { body: text } }
}

const update = (more: Json) => {
  count += 1
  const chat = { id: count, type: 'private' }
  const from = { id: count, first_name: 'Ada' }
  return { update_id: count, message: { message_id: 1, date: 1_790_000_000, chat, from, ...more } }
}

/** What messengers and assistants may send. */
export const messengers: readonly Row[] = [
  ofWhatsApp('a thousand messages at once', () =>
    batch({ messages: times(1_000, () => message(fill(2_800))) }),
  ),
  ofWhatsApp('a thousand statuses at once', () =>
    batch({
      statuses: times(1_000, (nth) => ({
        id: `wamid.${nth}`,
        status: 'delivered',
        timestamp: '1790000000',
        recipient_id: '33612345678',
        biz_opaque_callback_data: fill(500),
      })),
    }),
  ),
  ofWhatsApp('a message of 3 MB', () => batch({ messages: [message(fill(most - 1_000))] })),
  ofWhatsApp('as many values as there may be', () => batch({ other: times(59_000, () => 0) })),
  ofWhatsApp('more values than there may be', () => batch({ other: times(1_500_000, () => 0) }), 400),
  ofWhatsApp(
    'levels without end',
    () => `{"entry":${'['.repeat(most / 2 - 100)}${']'.repeat(most / 2 - 100)}}`,
    400,
  ),
  ofTelegram('a text of 3 MB', () => JSON.stringify(update({ text: fill(most - 1_000) }))),
  ofTelegram('a keyboard without end below a message', () => {
    const row = times(50, () => ({ text: 'b', callback_data: 'c' }))
    const { message: below, update_id } = update({ reply_markup: { inline_keyboard: times(350, () => row) } })
    const { from } = below
    return JSON.stringify({ update_id, callback_query: { id: '1', from, message: below, data: 'd' } })
  }),
  ofTelegram('spaces without end', () =>
    JSON.stringify(update({ text: `/start ${' '.repeat(most - 1_000)}x` })),
  ),
  ofAssistant('arguments of one text', () => ({ name: 'offered', arguments: { Said: fill(900_000) } })),
  ofAssistant('arguments without end', () => ({
    name: 'offered',
    arguments: Object.fromEntries(times(4_000, (nth) => [`a${nth}`, 'x'])),
  })),
  ofAssistant('a handle and a text that are long', () => ({
    name: 'answer',
    arguments: { handle: fill(450_000), text: fill(450_000) },
  })),
  ofAssistant('a form without end', () => ({
    name: 'offered',
    requestState: fill(4_000),
    inputResponses: { question: { action: 'accept', content: { answer: times(35_000, () => 'x') } } },
  })),
]
