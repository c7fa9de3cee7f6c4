import { describe, expect, it } from 'vitest'
import { createMessenger } from '../../../src/channels/create-messenger.ts'
import type { InboundMessage } from '../../../src/channels/messenger.ts'
import { telegramWriter } from '../../../src/channels/telegram/telegram-writer.ts'
import { plain } from '../../../src/channels/text/styled-text.ts'
import { MediaGoneError } from '../../../src/channels/wire/download.ts'
import { startFakeTelegram } from '../../support/providers/fake-telegram.ts'
import { openCalls, openFile, openWebhook, untilTestEnds } from '../messenger-world.ts'

async function openTelegram(options: Parameters<typeof startFakeTelegram>[0] = {}) {
  const webhook = await openWebhook()
  const fake = await untilTestEnds(startFakeTelegram(options))
  fake.urls.push(webhook.url)
  const deps = openCalls()
  const messenger = createMessenger({ type: 'telegram', ...fake.account })
  const send = (request = telegramWriter.writeText(plain('Hello')), to = '1111') =>
    messenger.send({ to, request, reference: 'abc:3:0' }, deps)
  const messages = () => webhook.received.flatMap((request) => messenger.parse(request).messages)
  return { webhook, fake, deps, messenger, send, messages }
}

describe('a message to Telegram', () => {
  it('is shown to the person', async () => {
    const { fake, send } = await openTelegram()
    await fake.sayText('1111', 'Hi')
    expect(await send()).toEqual({ state: 'sent', reference: '1' })
    expect(fake.shown).toMatchObject([{ id: 1, to: '1111', method: 'sendMessage', body: { text: 'Hello' } }])
  })

  it('waits for as long as it is told where there are too many', async () => {
    const { send } = await openTelegram({ misbehaviour: { busy: 1 }, retryAfter: 7 })
    expect(await send()).toEqual({
      state: 'failed',
      problem: { kind: 'wait', message: 'Too Many Requests: retry after 7', retryAfterMs: 7_000 },
    })
  })

  it('never arrives where the person has blocked the bot, or has not begun', async () => {
    const { fake, send } = await openTelegram()
    expect(await send()).toMatchObject({ problem: { kind: 'never', message: 'Bad Request: chat not found' } })
    await fake.sayText('1111', 'Hi')
    await fake.block('1111')
    expect(await send()).toMatchObject({ problem: { kind: 'never' } })
  })

  it('says that the account is broken where the token is, and never shows it', async () => {
    const { fake, deps } = await openTelegram()
    const botToken = '110201543:wrong'
    const messenger = createMessenger({ type: 'telegram', ...fake.account, botToken })
    const request = telegramWriter.writeText(plain('Hello'))
    const refused = await messenger.send({ to: '1111', request, reference: 'r' }, deps)
    expect(refused).toEqual({ state: 'failed', problem: { kind: 'account', message: 'Unauthorized' } })
    fake.close()
    const failed = await messenger.send({ to: '1111', request, reference: 'r' }, deps)
    expect(failed).toEqual({
      state: 'failed',
      problem: { kind: 'wait', message: 'The connection was refused' },
    })
  })

  it('may have been sent where the answer is lost', async () => {
    const { fake, send } = await openTelegram({ misbehaviour: { silent: 1 } })
    await fake.sayText('1111', 'Hi')
    expect(await send()).toMatchObject({ problem: { kind: 'wait', isDoubtful: true } })
    expect(fake.shown).toHaveLength(1)
    const broken = await openTelegram({ misbehaviour: { broken: 1 } })
    expect(await broken.send()).toMatchObject({ problem: { kind: 'wait', isDoubtful: true } })
  })
})

describe('a file to Telegram', () => {
  const photo = (url: string, caption = '') => telegramWriter.writeMedia('photo', url, plain(caption, 'bold'))

  it('is sent by its address', async () => {
    const file = await openFile('image/png')
    const { fake, send } = await openTelegram()
    await fake.sayText('1111', 'Hi')
    expect(await send(photo(file.url))).toEqual({ state: 'sent', reference: '1' })
    expect(fake.shown).toMatchObject([{ method: 'sendPhoto', body: { photo: file.url } }])
  })

  it('is a link where its type is another, with the looks and buttons of the message', async () => {
    const file = await openFile('text/html')
    const { fake, send } = await openTelegram()
    await fake.sayText('1111', 'Hi')
    const buttons = [{ id: 'r:1:0', title: 'Select' }]
    const picture = { as: 'photo', url: file.url }
    await send(telegramWriter.writeButtons(plain('Card', 'bold'), buttons, picture))
    expect(fake.shown).toMatchObject([
      {
        method: 'sendMessage',
        body: {
          text: `Card\n\n${file.url}`,
          entities: [{ type: 'bold', offset: 0, length: 4 }],
          reply_markup: { inline_keyboard: [[{ text: 'Select', callback_data: 'r:1:0' }]] },
        },
      },
    ])
    expect(fake.refused).toEqual([])
  })

  it('is a link where Telegram itself can not fetch it', async () => {
    const file = await openFile('image/png')
    const { fake, send } = await openTelegram()
    fake.unfetchable.add(file.url)
    await fake.sayText('1111', 'Hi')
    expect(await send(photo(file.url, 'Look'))).toEqual({ state: 'sent', reference: '1' })
    expect(fake.shown).toMatchObject([{ method: 'sendMessage', body: { text: `Look\n\n${file.url}` } }])
  })
})

describe('Telegram', () => {
  it('sends updates with the secret that was set, and no other is genuine', async () => {
    const { fake, webhook, messenger } = await openTelegram()
    await fake.sayText('1111', 'Hi')
    const [request] = webhook.received
    expect(messenger.isGenuine(request as never)).toBe(true)
    for (const token of [undefined, '', 'x', `${fake.account.secretToken}x`, [fake.account.secretToken]])
      expect(
        messenger.isGenuine({ ...request, headers: { 'x-telegram-bot-api-secret-token': token } } as never),
      ).toBe(false)
  })

  it('has a press acknowledged', async () => {
    const { fake, deps, messenger, messages } = await openTelegram()
    await fake.press('1111', 'r:1:0')
    const [press] = messages()
    expect(fake.unacknowledged.size).toBe(1)
    await messenger.acknowledge?.(press?.acknowledge ?? '', deps)
    expect(fake.unacknowledged.size).toBe(0)
    await messenger.acknowledge?.('too old', deps)
  })

  it('shows that an answer is being made', async () => {
    const { fake, deps, messenger, messages } = await openTelegram()
    await fake.sayText('1111', 'Hi')
    await messenger.showTyping(messages()[0] as InboundMessage, deps)
    expect(fake.typing).toEqual(['1111'])
  })

  it('gives a file that somebody sent, up to 20 MB, until it is gone', async () => {
    const { fake, deps, messenger, messages } = await openTelegram()
    const bytes = Buffer.alloc(7_000_000, 'x')
    await fake.sendFile('1111', 'document', { bytes, type: 'application/pdf', name: 'a.pdf' })
    await fake.sendFile('1111', 'photo', { bytes: Buffer.from('png'), type: 'image/jpeg' })
    await fake.sendFile('1111', 'document', { bytes, type: 'a/b', size: 20_000_001 })
    const [document, photo, large] = messages().map(({ content }) =>
      content.kind === 'media' ? content.media : undefined,
    )
    const file = await messenger.download(document as never, deps)
    expect(file).toMatchObject({ type: 'application/pdf', name: 'a.pdf', size: bytes.length })
    const pieces: Uint8Array[] = []
    for await (const piece of file.body) pieces.push(piece)
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true)
    const picture = await messenger.download(photo as never, deps)
    expect(picture).toMatchObject({ type: 'image/jpeg', name: 'file_1' })
    for await (const _ of picture.body);
    await expect(messenger.download(large as never, deps)).rejects.toThrow('file is too big')
    fake.expireFiles()
    await expect(messenger.download(document as never, deps)).rejects.toThrow(MediaGoneError)
  })

  it('is asked whether all is as it has to be', async () => {
    const { fake, webhook, deps, messenger } = await openTelegram()
    expect(await messenger.check(webhook.url, deps)).toEqual([
      { isProblem: false, message: 'The bot is @shop_bot' },
      { isProblem: false, message: `Updates go to ${webhook.url}; waiting there: 0` },
    ])
    const [, other] = await messenger.check('https://flows.example/hook', deps)
    expect(other).toMatchObject({
      isProblem: true,
      message: expect.stringContaining('setWebhook?url=https%3A%2F%2Fflows'),
    })
    expect(JSON.stringify(other)).not.toContain(fake.account.botToken)
    expect(JSON.stringify(other)).not.toContain(fake.account.secretToken)
    const wrong = createMessenger({ type: 'telegram', ...fake.account, botToken: '1:x' })
    expect(await wrong.check(webhook.url, deps)).toEqual([
      {
        isProblem: true,
        message: "The bot can't be read: Unauthorized. See botToken (/token of @BotFather)",
      },
    ])
  })
})
