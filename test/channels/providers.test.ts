import { EventEmitter, once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { WhatsAppAPI } from 'whatsapp-api-js'
import { createMessenger } from '../../src/channels/create-messenger.ts'
import { plain } from '../../src/channels/text/styled-text.ts'
import { whatsAppWriter } from '../../src/channels/whatsapp/whatsapp-writer.ts'
import { startFakeTelegram } from '../support/providers/fake-telegram.ts'
import { startFakeWhatsApp } from '../support/providers/fake-whatsapp.ts'
import type { Misbehaviour } from '../support/providers/webhook-sender.ts'
import { whatsAppLibraryProblems } from '../support/providers/whatsapp-library.ts'
import { openCalls, openFile, openWebhook, untilTestEnds } from './messenger-world.ts'

const ada = '4915123456789'
const dayMs = 24 * 60 * 60 * 1000

async function openBoth(misbehaviour: Misbehaviour, status?: (nth: number) => number) {
  const webhook = await openWebhook(status)
  const whatsapp = await untilTestEnds(startFakeWhatsApp({ misbehaviour }))
  const telegram = await untilTestEnds(startFakeTelegram({ misbehaviour }))
  for (const { urls } of [whatsapp, telegram]) urls.push(webhook.url)
  const parsers = [
    createMessenger({ type: 'whatsapp', ...whatsapp.account }),
    createMessenger({ type: 'telegram', ...telegram.account }),
  ]
  /** The ids of the messages that have come, in order. */
  const ids = () =>
    webhook.received.flatMap((request) => {
      const messenger = parsers.find((one) => one.isGenuine(request))
      return messenger?.parse(request).messages.map(({ id }) => id) ?? ['forged']
    })
  return { webhook, whatsapp, telegram, ids }
}

describe('a provider', () => {
  it('delivers until a message is taken', async () => {
    const { whatsapp, telegram, ids } = await openBoth({}, (nth) => (nth % 3 === 2 ? 200 : 503))
    const first = await whatsapp.sayText(ada, 'Hi')
    const second = String(await telegram.sayText('1111', 'Hi'))
    expect(ids()).toEqual([first, first, first, second, second, second])
    expect([whatsapp.answers, telegram.answers]).toEqual([
      [503, 503],
      [503, 503],
    ])
  })

  it('may deliver twice, to two addresses at once, and later than others', async () => {
    const twice = await openBoth({ twice: 1, toTwo: 1 })
    const first = await twice.whatsapp.sayText(ada, 'Hi')
    const second = String(await twice.telegram.sayText('1111', 'Hi'))
    await expect
      .poll(() => twice.ids().sort())
      .toEqual([...Array(3).fill(first), ...Array(3).fill(second)].sort())
    const late = await openBoth({ late: 0.5 })
    const said = await Promise.all(Array.from({ length: 40 }, () => late.telegram.sayText('1111', 'Hi')))
    expect(late.ids()).not.toEqual(said.map(String))
    expect(late.ids().sort()).toEqual(said.map(String).sort())
  })

  it('may put several messages into one request', async () => {
    const webhook = await openWebhook()
    const fake = await untilTestEnds(startFakeWhatsApp({ batch: 3 }))
    fake.urls.push(webhook.url)
    const said = await Promise.all(['1', '2', '3', '4'].map((text) => fake.sayText(ada, text)))
    const messenger = createMessenger({ type: 'whatsapp', ...fake.account })
    const batches = webhook.received.map((request) => messenger.parse(request).messages.map(({ id }) => id))
    expect(batches.map(({ length }) => length).sort()).toEqual([1, 3])
    expect(batches.flat().sort()).toEqual([...said].sort())
  })

  it('has files until a week has passed', async () => {
    let now = Date.now()
    const webhook = await openWebhook()
    const fake = await untilTestEnds(startFakeWhatsApp({ now: () => now }))
    fake.urls.push(webhook.url)
    await fake.sendFile(ada, 'image', { bytes: Buffer.from('x'), type: 'image/png' })
    const messenger = createMessenger({ type: 'whatsapp', ...fake.account })
    const [message] = messenger.parse(webhook.received[0] as never).messages
    const { media } = message!.content as { media: { id: string } }
    const deps = openCalls()
    for await (const _ of (await messenger.download(media, deps)).body);
    now += 7 * dayMs + 1
    await expect(messenger.download(media, deps)).rejects.toThrow('does not exist')
  })

  it('lets later messages overtake a file that it fetches', async () => {
    const file = await openFile('image/png')
    const fetching = new EventEmitter()
    const fake = await untilTestEnds(startFakeWhatsApp({ fetched: () => once(fetching, 'done') }))
    const messenger = createMessenger({ type: 'whatsapp', ...fake.account })
    await fake.sayText(ada, 'Hi')
    const requests = [
      whatsAppWriter.writeMedia('image', file.url, plain('')),
      whatsAppWriter.writeText(plain('Below')),
    ]
    for (const request of requests) await messenger.send({ to: ada, request, reference: 'r' }, openCalls())
    expect(fake.accepted.map(({ body }) => body['type'])).toEqual(['image', 'text'])
    fetching.emit('done')
    await expect.poll(() => fake.arrived.map(({ body }) => body['type'])).toEqual(['text', 'image'])
  })

  it('joins what was said before and after a change of number', async () => {
    const { webhook, whatsapp } = await openBoth({})
    await whatsapp.sayText(ada, 'Hi')
    await whatsapp.changeNumber(ada, '4930999')
    await whatsapp.sayText('4930999', 'Still me')
    const messenger = createMessenger({ type: 'whatsapp', ...whatsapp.account })
    const users = webhook.received.flatMap((request) =>
      messenger.parse(request).messages.map(({ user }) => user),
    )
    expect(users).toMatchObject([{ id: ada }, { id: '4930999', otherIds: [ada] }, { id: '4930999' }])
  })

  it('sends to an address what a library of another maker takes for WhatsApp’s', async () => {
    const { webhook, whatsapp } = await openBoth({})
    const { accessToken: token, appSecret, verifyToken: webhookVerifyToken } = whatsapp.account
    const library = new WhatsAppAPI({ token, appSecret, webhookVerifyToken })
    const id = await whatsapp.press(ada, 'r:1:0', 'Yes')
    const { body, headers } = webhook.received[0]!
    const seen: string[] = []
    library.on.message = ({ message, contact }) => void seen.push(message.id, String(contact.wa_id))
    await library.post(JSON.parse(body.toString()), body.toString(), String(headers['x-hub-signature-256']))
    expect(seen).toEqual([id, ada])
    await whatsapp.challenge(webhook.url)
    const asked = webhook.received.at(-1)
    const messenger = createMessenger({ type: 'whatsapp', ...whatsapp.account })
    expect(messenger.challengeOf?.(asked as never)).toBe(library.get(asked?.query as never))
  })

  it('is told apart from what the library refuses', () => {
    const button = (title: string) => whatsAppWriter.writeButtons(plain('Which?'), [{ id: 'a', title }])
    expect(whatsAppLibraryProblems(button('Short'))).toEqual([])
    expect(whatsAppLibraryProblems(button('longer than twenty characters'))).toEqual([
      expect.stringContaining('the library refuses it'),
    ])
    const { body } = button('Short')
    const changed = { ...(body['interactive'] as object), footer: { text: 'x' } }
    expect(whatsAppLibraryProblems({ body: { ...body, interactive: changed } })).toEqual([
      expect.stringContaining('is what the library builds'),
    ])
  })
})
