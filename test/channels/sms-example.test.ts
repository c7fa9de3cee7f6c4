import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sms } from '../../examples/channels/sms/sms.ts'
import type { InboundRequest } from '../../src/channels/messenger.ts'
import { splitText } from '../../src/channels/text/split-text.ts'
import { plain } from '../../src/channels/text/styled-text.ts'
import { MediaGoneError } from '../../src/channels/wire/download.ts'
import { segmentsOf, startFakeTwilio } from '../support/providers/fake-twilio.ts'
import { openCalls, openWebhook, untilTestEnds } from './messenger-world.ts'

const told = 'https://flows.example/v1/channels/texts/webhook'

async function openTwilio(options: Parameters<typeof startFakeTwilio>[0] = {}) {
  const webhook = await openWebhook()
  const fake = await untilTestEnds(startFakeTwilio(options))
  fake.told.url = told
  fake.urls.push(webhook.url)
  const deps = openCalls()
  const messenger = sms.open(fake.account)
  const received = () => webhook.received.map((request): InboundRequest => ({ ...request, url: told }))
  const send = (text = 'Hello', to = '+33612345678') =>
    messenger.send({ to, request: sms.writer.writeText(plain(text)), reference: 'r' }, deps)
  const read = () => received().map((request) => messenger.parse(request))
  return { fake, deps, messenger, received, read, send }
}

describe('an SMS that comes in', () => {
  it('counts as signed over the address and the whole form', async () => {
    const { fake, messenger, received } = await openTwilio()
    await fake.say('+33612345678', 'Grüße & =, 👋')
    const [request] = received() as [InboundRequest]
    expect(messenger.isGenuine(request)).toBe(true)
    const altered: Partial<InboundRequest>[] = [
      { url: 'https://elsewhere.example/v1/channels/texts/webhook' },
      { body: Buffer.from(`${request.body}&Body=more`) },
      { headers: {} },
      { headers: { 'x-twilio-signature': ['a', 'b'] } },
    ]
    for (const change of altered) expect(messenger.isGenuine({ ...request, ...change })).toBe(false)
    const other = sms.open({ ...fake.account, authToken: 'other' })
    expect(other.isGenuine(request)).toBe(false)
  })

  it('is a message under its own id, its pictures one each', async () => {
    const { fake, deps, messenger, read } = await openTwilio()
    await fake.say('+33612345678', 'Hi')
    await fake.sendPictures('+33612345678', 'Two', [Buffer.from('one'), Buffer.from('two')])
    const user = { id: '+33612345678', phone: '+33612345678' }
    const id = expect.stringMatching(/^SM[\da-f]{32}$/)
    const [words, pictures] = read()
    expect(words).toEqual({
      messages: [{ id, user, content: { kind: 'text', text: 'Hi' } }],
      statuses: [],
      warnings: [],
    })
    expect(pictures?.messages).toMatchObject([
      { id, content: { kind: 'media', caption: 'Two', media: { type: 'image/jpeg' } } },
      { id: expect.stringMatching(/\.1$/), content: { kind: 'media' } },
    ])
    const [, second] = pictures?.messages ?? []
    const media = second?.content.kind === 'media' ? second.content.media : { id: '' }
    const file = await messenger.download(media, deps)
    expect(await text(file.body)).toBe('two')
  })

  it('never sends the token to another address that is named as a file', async () => {
    const { fake, deps, messenger } = await openTwilio()
    const elsewhere = [
      `${fake.account.baseUrl}.evil.example/2010-04-01/Accounts/x`,
      'http://127.0.0.1:9/',
      '',
    ]
    for (const id of elsewhere)
      await expect(messenger.download({ id }, deps)).rejects.toBeInstanceOf(MediaGoneError)
  })

  it('says of a word that Twilio answers itself what the layer has to know', async () => {
    const { fake, read } = await openTwilio()
    for (const word of ['HELP', 'Unsubscribe', 'unstop', 'yes']) await fake.say('+33612345678', word)
    expect(read().flatMap(({ messages }) => messages.map(({ content }) => content))).toEqual([
      { kind: 'ignored', what: 'help' },
      { kind: 'text', text: 'stop' },
      { kind: 'text', text: 'start' },
      { kind: 'text', text: 'yes' },
    ])
  })

  it('is refused where it is none, and left out where nobody could be answered', async () => {
    const { messenger, fake, read } = await openTwilio()
    const request = { headers: {}, query: {}, url: told, body: Buffer.from('{}') }
    expect(() => messenger.parse(request)).toThrow('The request body is not one of Twilio')
    await fake.say('shop', 'Offer')
    expect(read()).toEqual([{ messages: [], statuses: [], warnings: ['An SMS without a number'] }])
  })
})

describe('an SMS that is sent', () => {
  it('is accepted, and tells how it fares', async () => {
    const { fake, send, read } = await openTwilio()
    const reference = expect.stringMatching(/^SM/)
    expect(await send('Hello')).toEqual({ state: 'sent', reference, overtakableMs: 3_000 })
    expect(fake.accepted).toMatchObject([{ to: '+33612345678', text: 'Hello' }])
    const { sid } = fake.accepted[0] as { sid: string }
    const statuses = () => read().flatMap((inbound) => inbound.statuses)
    await expect
      .poll(() =>
        statuses()
          .map(({ status }) => status)
          .sort(),
      )
      .toEqual(['delivered', 'sent'])
    expect(statuses().every((status) => status.reference === sid)).toBe(true)
  })

  it('says why not', async () => {
    const { fake, deps, send } = await openTwilio()
    expect(await send('', '+33612345678')).toMatchObject({ problem: { kind: 'never' } })
    expect(await send('Hi', 'nobody')).toMatchObject({ problem: { kind: 'never' } })
    await fake.say('+33612345678', 'STOP')
    expect(await send()).toMatchObject({ problem: { kind: 'never', message: /unsubscribed.*21610/ } })
    const request = sms.writer.writeText(plain('Hi'))
    const other = sms.open({ ...fake.account, authToken: 'other' })
    const refused = await other.send({ to: '+33612345678', request, reference: 'r' }, deps)
    expect(refused).toEqual({
      state: 'failed',
      problem: { kind: 'account', message: 'Authenticate (20003)' },
    })
    const busy = await openTwilio({ misbehaviour: { busy: 1 } })
    expect(await busy.send()).toMatchObject({ problem: { kind: 'wait' } })
    const broken = await openTwilio({ misbehaviour: { broken: 1 } })
    expect(await broken.send()).toMatchObject({ problem: { kind: 'wait', isDoubtful: true } })
  })

  it('says of a failure later what can be done', async () => {
    const { messenger } = await openTwilio()
    const statusOf = (fields: Record<string, string>) => {
      const body = Buffer.from(new URLSearchParams({ MessageSid: 'SM1', ...fields }).toString())
      return messenger.parse({ headers: {}, query: {}, url: told, body }).statuses
    }
    expect(statusOf({ MessageStatus: 'undelivered', ErrorCode: '30001' })).toMatchObject([
      { reference: 'SM1', status: 'failed', error: { kind: 'wait' } },
    ])
    expect(statusOf({ MessageStatus: 'failed', ErrorCode: '30003' })).toMatchObject([
      { status: 'failed', error: { kind: 'never' } },
    ])
    expect(statusOf({ MessageStatus: 'sending' })).toEqual([])
  })

  it('has its addresses checked', async () => {
    const { fake, deps, messenger } = await openTwilio()
    const problems = async (url: string | undefined, checked = messenger) =>
      (await checked.check(url, deps)).filter(({ isProblem }) => isProblem).map(({ message }) => message)
    expect(await problems(told)).toEqual([])
    expect(await problems('https://other.example/')).toEqual([
      'inbound_request_url of the messaging service has to be https://other.example/',
      'status_callback of the messaging service has to be https://other.example/',
    ])
    expect(await problems(told, sms.open({ ...fake.account, authToken: 'x' }))).toEqual([
      'Authenticate (20003)',
    ])
  })
})

describe('the text of an SMS', () => {
  it('is cut into messages of ten segments at most, and nothing of it is lost', () => {
    const signs = fc.constantFrom('a', 'é', ' ', '\n', '{', '€', '’', '…', 'ж', '👋', '漢')
    const texts = fc.string({ unit: signs, minLength: 1, maxLength: 4_000, size: 'max' })
    fc.assert(
      fc.property(texts, (text) => {
        const { capabilities, writer } = sms
        const pieces = splitText(plain(text), capabilities.text, writer.lengthOf)
        const bodies = pieces.map((piece) => String(writer.writeText(piece).body['Body']))
        for (const body of bodies) {
          expect(segmentsOf(body)).toBeLessThanOrEqual(10)
          expect(body.length).toBeLessThanOrEqual(1_600)
        }
        const said = (whole: string) => whole.replace(/\s/g, '').replaceAll('’', "'").replaceAll('…', '...')
        expect(said(bodies.join(''))).toBe(said(text))
      }),
      { numRuns: 100 },
    )
  })

  it('has the addresses of links, and signs that phones have', () => {
    const spans = [{ start: 0, end: 8, style: 'link' as const, url: 'https://shop.example/a' }]
    const request = sms.writer.writeText({ text: 'Our shop – “open”…', spans })
    expect(request.body).toEqual({ Body: 'Our shop (https://shop.example/a) - "open"...' })
  })
})
