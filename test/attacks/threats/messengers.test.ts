import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createMessenger } from '../../../src/channels/create-messenger.ts'
import type { CallDependencies } from '../../../src/channels/messenger.ts'
import type { ChannelAccount } from '../../../src/channels/messenger-table.ts'
import { openCalls } from '../../channels/messenger-world.ts'
import { buildTestApp } from '../../support/build-test-app.ts'
import { openChannelWorld } from '../../support/channel-world.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import { httpAnswer, startRawHttpServer } from '../../support/raw-http-server.ts'
import { openTestChannels } from '../../support/test-channels.ts'

const botToken = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw'
const secretToken = 'secret-of-the-bot'
const appSecret = 'secret-of-the-app'

const botAt = (baseUrl: string): ChannelAccount => ({ type: 'telegram', botToken, secretToken, baseUrl })
const numberAt = (baseUrl: string): ChannelAccount => ({
  type: 'whatsapp',
  accessToken: 'EAAtoken',
  phoneNumberId: '106540352242922',
  appSecret,
  verifyToken: 'verify',
  baseUrl,
})

/** The routes of two messengers, as everybody reaches them. */
async function openRoutes() {
  const channels = openTestChannels({
    accounts: {
      bot: { name: 'telegram', messenger: createMessenger(botAt('https://api.telegram.org')) },
      number: { name: 'whatsapp', messenger: createMessenger(numberAt('https://graph.facebook.com/v24.0')) },
    },
    file: { bot: { account: 'bot', flow: 'f' }, number: { account: 'number', flow: 'f' } },
  })
  const { app } = await buildTestApp({ ...channels })
  return {
    async send(name: string, body: string, headers: Record<string, string> = {}) {
      const url = `/v1/channels/${name}/webhook`
      const { statusCode, payload } = await app.inject({ method: 'POST', url, headers, payload: body })
      return { status: statusCode, text: payload }
    },
    async waiting(name: string) {
      const rows = await channels.inbox.list(`inbox:${name}`, { limit: 100, state: 'waiting' })
      return rows.length
    },
  }
}

const update = (more: object = {}) =>
  JSON.stringify({
    update_id: 1,
    message: { message_id: 1, date: 1, chat: { id: 7, type: 'private' }, from: { id: 7 }, text: 'Hi' },
    ...more,
  })

const batch = JSON.stringify({
  object: 'whatsapp_business_account',
  entry: [
    {
      changes: [
        {
          field: 'messages',
          value: {
            metadata: { phone_number_id: '106540352242922' },
            messages: [
              { id: 'wamid.1', from: '33612345678', timestamp: '1', type: 'text', text: { body: 'Hi' } },
            ],
          },
        },
      ],
    },
  ],
})

const signed = (body: string, secret = appSecret) => ({
  'content-type': 'application/json',
  'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
})
const told = (token = secretToken) => ({
  'content-type': 'application/json',
  'x-telegram-bot-api-secret-token': token,
})

describe('threats by messengers', () => {
  it('A stranger writes in the name of a messenger, or learns which channels there are', async () => {
    const { send, waiting } = await openRoutes()
    const strangers = [
      await send('number', batch),
      await send('number', batch, signed(batch, 'another')),
      await send('number', `${batch} `, signed(batch)),
      await send('number', batch, { ...signed(batch), 'x-hub-signature-256': 'sha256=' }),
      await send('bot', update(), told(`${secretToken}x`)),
      await send('bot', update(), told('')),
      await send('nobody', batch, signed(batch)),
    ]
    expect(strangers.map(({ status }) => status)).toEqual(strangers.map(() => 401))
    const texts = strangers.map(({ text }) => {
      const { code, message, detail } = JSON.parse(text)
      return JSON.stringify([code, message, detail])
    })
    expect(new Set(texts).size).toBe(1)
    expect([await waiting('number'), await waiting('bot')]).toEqual([0, 0])
    expect((await send('number', batch, signed(batch))).status).toBe(200)
    expect((await send('bot', update(), told())).status).toBe(200)
    expect([await waiting('number'), await waiting('bot')]).toEqual([1, 1])
  })

  it('A request of a messenger is brought again by somebody who has seen it', async () => {
    const { send, waiting } = await openRoutes()
    for (let times = 0; times < 3; times++) {
      expect((await send('number', batch, signed(batch))).status).toBe(200)
      expect((await send('bot', update(), told())).status).toBe(200)
    }
    expect([await waiting('number'), await waiting('bot')]).toEqual([1, 1])
  })

  it('A request of a messenger holds more than can be read while others wait', async () => {
    const { send, waiting } = await openRoutes()
    const wide = update({ more: Array.from({ length: 70_000 }, () => 0) })
    const deep = `{"update_id":1,"more":${'['.repeat(1_000)}${']'.repeat(1_000)}}`
    const large = update({ more: 'x'.repeat(3 * 1024 * 1024) })
    const answers = [
      await send('bot', wide, told()),
      await send('bot', deep, told()),
      await send('bot', large, told()),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 413])
    expect(await waiting('bot')).toBe(0)
  })

  it('A file of a messenger, or one that a flow sends, lies inside', async () => {
    const inside = await startRawHttpServer(() => httpAnswer(200, 'secret', { 'content-type': 'image/png' }))
    const named = JSON.stringify({ url: `http://localhost:${inside.port}/file`, mime_type: 'image/png' })
    const graph = await startRawHttpServer(() => httpAnswer(200, named))
    const { http, closing } = openCalls({ allow: '' })
    const messenger = createMessenger(numberAt(graph.url))
    await expect(messenger.download({ id: '1' }, { http, closing })).rejects.toThrow()
    const body = { type: 'image', image: { link: `http://localhost:${inside.port}/a.png` } }
    await messenger.send({ to: '33612345678', request: { method: 'messages', body }, reference: 'r' }, {
      http,
      closing,
    } as CallDependencies)
    expect([inside.connections, graph.requests.length]).toEqual([0, 2])
    expect(JSON.stringify(graph.requests.at(-1)?.bytes.toString())).toContain('text')
  })

  it('A token of a messenger is read in what becomes of messages', async () => {
    const { http, closing } = openCalls()
    // Nobody listens there.
    const closed = 'http://127.0.0.1:1'
    for (const account of [botAt(closed), numberAt(closed)]) {
      const messenger = createMessenger(account)
      const request = { method: 'sendMessage', body: { text: 'Hi' } }
      const said = [
        await messenger.send({ to: '7', request, reference: 'r' }, { http, closing }),
        await messenger.check('https://flows.example/hook', { http, closing }),
        await messenger.download({ id: '1' }, { http, closing }).catch((error: Error) => error.message),
      ]
      for (const secret of [botToken, secretToken, 'EAAtoken', appSecret])
        expect(JSON.stringify(said)).not.toContain(secret)
    }
  })

  it('A link from a messenger to the page tells servers on the way whose conversation it is', async () => {
    const flow = wholeDefinition({
      settings: { typingEmulation: { enabled: false } },
      blocks: [
        {
          id: 'e',
          type: 'embed',
          content: { url: 'https://a.example/', waitForEvent: { isEnabled: true, name: 'done' } },
        },
      ],
    })
    const world = await openChannelWorld([flow], { messenger: 'whatsapp' })
    const [shown] = (await world.say('hi')) as { body: string }[]
    const { pathname, search, hash } = new URL(/https:[^\s)]+/.exec(shown?.body ?? '')?.[0] ?? '')
    expect(pathname + search).toBe('/f/flow-1')
    expect(hash).toBe('#session=session-1')
  })
})
