import { describe, expect, it } from 'vitest'
import { createMessenger } from '../../../src/channels/create-messenger.ts'
import { plain } from '../../../src/channels/text/styled-text.ts'
import { whatsAppWriter } from '../../../src/channels/whatsapp/whatsapp-writer.ts'
import { MediaGoneError } from '../../../src/channels/wire/download.ts'
import type { Json } from '../../support/json.ts'
import { startFakeWhatsApp } from '../../support/providers/fake-whatsapp.ts'
import { startRawHttpServer } from '../../support/raw-http-server.ts'
import { openCalls, openFile, openWebhook, untilTestEnds } from '../messenger-world.ts'

const ada = '4915123456789'
const dayMs = 24 * 60 * 60 * 1000

async function openWhatsApp(options: Parameters<typeof startFakeWhatsApp>[0] = {}) {
  const fake = await untilTestEnds(startFakeWhatsApp(options))
  const deps = openCalls()
  const messenger = createMessenger({ type: 'whatsapp', ...fake.account })
  const sendTo = (to: string, request = whatsAppWriter.writeText(plain('Hello')), more = {}) =>
    messenger.send({ to, request, reference: 'abc:3:0' }, { ...deps, ...more })
  return { fake, deps, messenger, sendTo }
}

describe('a message to WhatsApp', () => {
  it('goes to a phone number, with a reference that its statuses bring back', async () => {
    const webhook = await openWebhook()
    const { fake, messenger, sendTo } = await openWhatsApp()
    fake.urls.push(webhook.url)
    await fake.sayText(ada, 'Hi')
    const result = await sendTo(ada)
    expect(result).toEqual({ state: 'sent', reference: fake.accepted[0]?.id })
    expect(fake.accepted).toMatchObject([{ to: ada, body: { type: 'text', text: { body: 'Hello' } } }])
    await expect.poll(() => webhook.received.length).toBe(4)
    for (const request of webhook.received) expect(messenger.isGenuine(request)).toBe(true)
    const statuses = webhook.received.flatMap((request) => messenger.parse(request).statuses)
    expect(new Set(statuses.map(({ reference }) => reference))).toEqual(new Set(['abc:3:0']))
    expect(statuses.map(({ status }) => status).sort()).toEqual(['delivered', 'read', 'sent'])
  })

  it('goes to an id of the business where there is no phone number', async () => {
    const { fake, sendTo } = await openWhatsApp()
    await fake.sayText('DE.13491208655302741918', 'Hi')
    expect(await sendTo('DE.13491208655302741918')).toMatchObject({ state: 'sent' })
    expect(fake.accepted[0]?.to).toBe('DE.13491208655302741918')
  })

  it('waits for a template a day after the person wrote', async () => {
    let now = Date.now()
    const { fake, sendTo } = await openWhatsApp({ now: () => now })
    await fake.sayText(ada, 'Hi')
    now += dayMs + 1
    expect(await sendTo(ada)).toEqual({
      state: 'failed',
      problem: { kind: 'window', message: '131047: Re-engagement message: Its details.' },
    })
    const template = { name: 'hello', language: { code: 'en' } }
    const request = {
      method: 'messages',
      body: { messaging_product: 'whatsapp', type: 'template', template },
    }
    expect(await sendTo(ada, request)).toMatchObject({ state: 'sent' })
  })

  it('waits where there are too many, for the account or for the person', async () => {
    const busy = await openWhatsApp({ misbehaviour: { busy: 1 } })
    expect(await busy.sendTo(ada)).toMatchObject({ problem: { kind: 'wait', retryAfterMs: 1_000 } })
    const { fake, sendTo } = await openWhatsApp({ pairRate: { perMs: 60_000, burst: 2 } })
    await fake.sayText(ada, 'Hi')
    const results = [await sendTo(ada), await sendTo(ada), await sendTo(ada), await sendTo(ada)]
    expect(results.map(({ state }) => state)).toEqual(['sent', 'sent', 'sent', 'failed'])
    expect(results[3]).toMatchObject({ problem: { kind: 'wait', retryAfterMs: 6_000 } })
  })

  it('may have been sent where the answer is lost, and never where nothing was reached', async () => {
    const silent = await openWhatsApp({ misbehaviour: { silent: 1 } })
    await silent.fake.sayText(ada, 'Hi')
    expect(await silent.sendTo(ada)).toEqual({
      state: 'failed',
      problem: { kind: 'wait', message: 'The connection was lost', isDoubtful: true },
    })
    expect(silent.fake.accepted).toHaveLength(1)
    const broken = await openWhatsApp({ misbehaviour: { broken: 1 } })
    expect(await broken.sendTo(ada)).toMatchObject({ problem: { kind: 'wait', isDoubtful: true } })
    const gone = await openWhatsApp()
    gone.fake.close()
    expect(await gone.sendTo(ada)).toEqual({
      state: 'failed',
      problem: { kind: 'wait', message: 'The connection was refused' },
    })
  })

  it('is not begun by a process that has lost it while it connected', async () => {
    const server = await startRawHttpServer()
    const { fake, deps, sendTo } = await openWhatsApp()
    const messenger = createMessenger({ type: 'whatsapp', ...fake.account, baseUrl: server.url })
    const request = whatsAppWriter.writeText(plain('Hello'))
    // Another process takes it before this one would have given up.
    const lost = { ...deps, isOurs: (forMs = 0) => forMs < 15_000 }
    expect(await messenger.send({ to: ada, request, reference: 'r' }, lost)).toEqual({
      state: 'failed',
      problem: { kind: 'wait', message: 'It was not to begin any more' },
    })
    await expect.poll(() => server.connections).toBe(1)
    expect(server.requests).toEqual([])
    await fake.sayText(ada, 'Hi')
    expect(await sendTo(ada, whatsAppWriter.writeText(plain('Grüße')), { isOurs: () => true })).toMatchObject(
      {
        state: 'sent',
      },
    )
    expect(fake.accepted).toMatchObject([{ body: { text: { body: 'Grüße' } } }])
  })

  it('says that the account is broken where the token is', async () => {
    const { fake, deps } = await openWhatsApp()
    const messenger = createMessenger({ type: 'whatsapp', ...fake.account, accessToken: 'EAAwrong' })
    const request = whatsAppWriter.writeText(plain('Hello'))
    const result = await messenger.send({ to: ada, request, reference: 'r' }, deps)
    expect(result).toMatchObject({ problem: { kind: 'account' } })
    expect(JSON.stringify(result)).not.toContain('EAAwrong')
  })

  it('ends when the service does', async () => {
    const server = await startRawHttpServer(() => undefined)
    const { fake, deps } = await openWhatsApp()
    const messenger = createMessenger({ type: 'whatsapp', ...fake.account, baseUrl: server.url })
    const request = whatsAppWriter.writeText(plain('Hello'))
    const sending = messenger.send({ to: ada, request, reference: 'r' }, deps)
    await expect.poll(() => server.requests.length).toBe(1)
    deps.close()
    expect(await sending).toMatchObject({ problem: { kind: 'wait', isDoubtful: true } })
  })

  it('is not believed to be sent where something else answers', async () => {
    const { fake, deps } = await openWhatsApp()
    for (const answer of [
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}',
      'HTTP/1.1 302 Found\r\ncontent-length: 0\r\n\r\n',
    ]) {
      const server = await startRawHttpServer(() => answer)
      const messenger = createMessenger({ type: 'whatsapp', ...fake.account, baseUrl: server.url })
      const request = whatsAppWriter.writeText(plain('Hello'))
      const result = await messenger.send({ to: ada, request, reference: 'r' }, deps)
      expect(result.state).toBe('failed')
    }
  })
})

describe('a file to WhatsApp', () => {
  const picture = (url: string, caption = '') => whatsAppWriter.writeMedia('image', url, plain(caption))

  it('is sent by its address, which later messages may overtake', async () => {
    const file = await openFile('image/png')
    const { fake, sendTo } = await openWhatsApp()
    await fake.sayText(ada, 'Hi')
    expect(await sendTo(ada, picture(file.url))).toMatchObject({ state: 'sent', overtakableMs: 5_000 })
    expect(fake.accepted[0]?.body).toMatchObject({ type: 'image', image: { link: file.url } })
  })

  it.each<[string, string, Parameters<typeof openFile>[1]]>([
    ['of a type that it does not take', 'image/webp', {}],
    ['that says to be too large', 'image/png', { size: 5_000_001 }],
    ['that is too large without saying so', 'image/png', { size: 5_000_001, isLengthTold: false }],
    ['that is not there', 'image/png', { status: 404 }],
    ['that is a page', 'text/html; charset=utf-8', {}],
    ['that is empty', 'image/png', { size: 0, isLengthTold: false }],
  ])('%s is a link below its words', async (_, type, how) => {
    const file = await openFile(type, how)
    const { fake, sendTo } = await openWhatsApp()
    await fake.sayText(ada, 'Hi')
    expect(await sendTo(ada, picture(file.url, 'Look'))).toEqual({
      state: 'sent',
      reference: fake.accepted[0]?.id,
    })
    const text = { body: `Look\n\n${file.url}`, preview_url: true }
    expect(fake.accepted[0]?.body).toMatchObject({ type: 'text', text })
    expect(fake.refused).toEqual([])
  })

  it('that is not told how large it is is read to its end', async () => {
    const file = await openFile('image/png; x=y', { size: 4_000_000, isLengthTold: false })
    const { fake, sendTo } = await openWhatsApp()
    await fake.sayText(ada, 'Hi')
    await sendTo(ada, picture(file.url))
    expect(fake.accepted[0]?.body['type']).toBe('image')
  })

  it('is looked at once, however often it is sent', async () => {
    const file = await openFile('image/png')
    const { fake, sendTo } = await openWhatsApp()
    await fake.sayText(ada, 'Hi')
    await sendTo(ada, picture(file.url))
    await sendTo(ada, picture(file.url))
    expect(file.requests).toHaveLength(1)
    expect(fake.accepted).toHaveLength(2)
  })

  it('above buttons leaves them, with the address below the words where there is room', async () => {
    const file = await openFile('image/webp')
    const { fake, sendTo } = await openWhatsApp()
    await fake.sayText(ada, 'Hi')
    const buttons = (text: string) =>
      whatsAppWriter.writeButtons(plain(text), [{ id: 'r:1:0', title: 'Select' }], {
        as: 'image',
        url: file.url,
      })
    await sendTo(ada, buttons('Card'))
    await sendTo(ada, buttons('x'.repeat(1_020)))
    const shown = fake.accepted.map(({ body }) => body['interactive'] as Json)
    expect(shown.map(({ header }) => header)).toEqual([undefined, undefined])
    expect(shown.map(({ body }) => (body as Json)['text'])).toEqual([
      `Card\n\n${file.url}`,
      'x'.repeat(1_020),
    ])
  })
})

describe('WhatsApp', () => {
  it('gives a file that somebody sent, until it is gone', async () => {
    const webhook = await openWebhook()
    const { fake, deps, messenger } = await openWhatsApp()
    fake.urls.push(webhook.url)
    const bytes = Buffer.alloc(7_000_000, 'x')
    await fake.sendFile(ada, 'document', { bytes, type: 'application/pdf' }, { filename: 'a.pdf' })
    const [message] = messenger.parse(webhook.received[0] as never).messages
    const media = message?.content.kind === 'media' ? message.content.media : undefined
    const file = await messenger.download(media as never, deps)
    expect(file).toMatchObject({ type: 'application/pdf', name: 'a.pdf', size: bytes.length })
    const pieces: Uint8Array[] = []
    for await (const piece of file.body) pieces.push(piece)
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true)
    fake.expireFiles()
    await expect(messenger.download(media as never, deps)).rejects.toThrow(MediaGoneError)
  })

  it('shows that an answer is being made, for the message that it answers', async () => {
    const { fake, deps, messenger } = await openWhatsApp()
    const id = await fake.sayText(ada, 'Hi')
    await messenger.showTyping({ id, user: { id: ada } }, deps)
    expect(fake.typing).toEqual([id])
    fake.close()
    await messenger.showTyping({ id, user: { id: ada } }, deps)
  })

  it('is asked whether all is as it has to be', async () => {
    const { fake, deps, messenger } = await openWhatsApp()
    const url = 'https://flows.example/v1/channels/shop/webhook'
    const problems = async (one = messenger, webhookUrl: string | undefined = url) =>
      (await one.check(webhookUrl, deps)).filter(({ isProblem }) => isProblem).map(({ message }) => message)
    expect(await problems()).toEqual([expect.stringContaining(`Webhooks of the number go to no address`)])
    fake.urls.push(url)
    expect(await messenger.check(url, deps)).toEqual([
      { isProblem: false, message: 'The number is +1 555-078-3881, Shop' },
      { isProblem: false, message: `Webhooks of the number go to ${url}` },
      { isProblem: false, message: 'The app 5551110000 has the appSecret and hears of messages' },
    ])
    const wrong = (change: Json) => createMessenger({ type: 'whatsapp', ...fake.account, ...change })
    expect(await problems(wrong({ appSecret: 'x' }))).toEqual([
      expect.stringContaining('appSecret is of none'),
    ])
    expect(await problems(wrong({ accessToken: 'x' }))).toEqual([
      expect.stringContaining("can't be read: 190"),
    ])
    expect(await problems(wrong({ phoneNumberId: '1' }))).toEqual([
      expect.stringContaining('See phoneNumberId'),
    ])
    const [, nowhere] = await messenger.check(undefined, deps)
    expect(nowhere).toMatchObject({ isProblem: true, message: expect.stringContaining('PUBLIC_URL') })
  })
})
