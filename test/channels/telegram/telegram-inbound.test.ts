import type { Update } from '@grammyjs/types'
import { describe, expect, it } from 'vitest'
import { readTelegram } from '../../../src/channels/telegram/telegram-inbound.ts'
import type { Json } from '../../support/json.ts'

const read = (update: Json) => readTelegram(Buffer.from(JSON.stringify({ update_id: 10_000, ...update })))

const ada = { id: 1111, is_bot: false, first_name: 'Ada', last_name: 'King', language_code: 'en-GB' } as const
const chat = { id: 1111, type: 'private', first_name: 'Ada', last_name: 'King' } as const
const message = (content: Json) => ({ message_id: 5, from: ada, chat, date: 1_749_416_383, ...content })
const readOne = (content: Json) => read({ message: message(content) }).messages[0]

describe('a message of Telegram', () => {
  it('has the number of the update, a sender and a moment', () => {
    const update: Update = {
      update_id: 7,
      message: { message_id: 5, from: ada, chat, date: 1_749_416_383, text: 'Hello' },
    }
    expect(readTelegram(Buffer.from(JSON.stringify(update)))).toEqual({
      messages: [
        {
          id: '7',
          user: { id: '1111', name: 'Ada King', locale: 'en-GB' },
          sentAt: 1_749_416_383_000,
          content: { kind: 'text', text: 'Hello' },
        },
      ],
      statuses: [],
      warnings: [],
    })
  })

  const file = { file_id: 'AgACAgQ-_x', file_unique_id: 'u' }
  it.each<[string, Json, Json]>([
    [
      'a picture, in its largest size',
      {
        photo: [
          { ...file, file_id: 'small', width: 90, height: 51, file_size: 1101 },
          { ...file, file_id: 'large', width: 1280, height: 720, file_size: 124_000 },
          { ...file, file_id: 'middle', width: 320, height: 180, file_size: 13_000 },
        ],
        caption: 'Look',
      },
      { kind: 'media', media: { id: 'large', type: 'image/jpeg', size: 124_000 }, caption: 'Look' },
    ],
    [
      'a voice message',
      { voice: { ...file, duration: 2, mime_type: 'audio/ogg', file_size: 9 } },
      { kind: 'media', media: { id: file.file_id, type: 'audio/ogg', size: 9 }, isVoice: true },
    ],
    [
      'a document',
      { document: { ...file, file_name: 'a.pdf', mime_type: 'application/pdf', file_size: 9 } },
      { kind: 'media', media: { id: file.file_id, type: 'application/pdf', name: 'a.pdf', size: 9 } },
    ],
    [
      'an animation, which is a document too',
      { animation: { ...file, mime_type: 'video/mp4' }, document: { ...file, file_id: 'other' } },
      { kind: 'media', media: { id: file.file_id, type: 'video/mp4' } },
    ],
    [
      'a round video',
      { video_note: { ...file, length: 240 } },
      { kind: 'media', media: { id: file.file_id, type: 'video/mp4' } },
    ],
    [
      'a place with a name',
      { venue: { title: 'Sea' }, location: { latitude: 54.1, longitude: -7.5 } },
      { kind: 'location', latitude: 54.1, longitude: -7.5 },
    ],
    [
      "somebody's contact",
      { contact: { phone_number: '15550100', first_name: 'Bo', user_id: 22 } },
      { kind: 'text', text: '+15550100' },
    ],
    ['a command', { text: '/help me' }, { kind: 'command', command: 'help', text: '/help me' }],
    [
      'a command to a bot by name',
      { text: '/help@my_bot' },
      { kind: 'command', command: 'help', text: '/help@my_bot' },
    ],
    ['a path', { text: '/etc/passwd' }, { kind: 'text', text: '/etc/passwd' }],
    ['a sticker', { sticker: { ...file, type: 'regular' } }, { kind: 'ignored', what: 'sticker' }],
    ['a poll', { poll: { id: '1' } }, { kind: 'ignored', what: 'poll' }],
    ['a story that is forwarded', { forward_origin: {}, story: {} }, { kind: 'ignored', what: 'story' }],
    ['nothing', {}, { kind: 'ignored', what: 'unknown' }],
    [
      'a kind by the name of a prototype',
      { __proto__x: 1, constructor: {} },
      { kind: 'ignored', what: '__proto__x' },
    ],
  ])('may be %s', (_, content, expected) => {
    expect(readOne(content)?.content).toEqual(expected)
  })

  it('says by which link somebody came', () => {
    expect(readOne({ text: '/start spring-24' })).toMatchObject({
      content: { kind: 'command', command: 'start', text: '/start spring-24' },
      referral: { sourceId: 'spring-24' },
    })
    expect(readOne({ text: '/start' })?.referral).toBeUndefined()
    expect(readOne({ text: '/help spring-24' })?.referral).toBeUndefined()
  })

  it('has the phone number of who shares the own contact', () => {
    const contact = { phone_number: '+44 20 7946', first_name: 'Ada', user_id: 1111 }
    expect(readOne({ contact })?.user.phone).toBe('+44207946')
    expect(readOne({ contact: { ...contact, user_id: 2 } })?.user.phone).toBeUndefined()
  })

  it.each<[string, Json, string]>([
    ['an edit', { edited_message: message({ text: 'Hallo' }) }, 'edit'],
    [
      'the bot being blocked',
      {
        my_chat_member: message({
          old_chat_member: { status: 'member' },
          new_chat_member: { status: 'kicked' },
        }),
      },
      'blocked',
    ],
    [
      'the bot being unblocked',
      {
        my_chat_member: message({
          old_chat_member: { status: 'kicked' },
          new_chat_member: { status: 'member' },
        }),
      },
      'unblocked',
    ],
  ])('of %s is ignored', (_, update, what) => {
    expect(read(update).messages).toMatchObject([
      { id: '10000', user: { id: '1111' }, content: { kind: 'ignored', what } },
    ])
  })

  it.each<[string, Json]>([
    [
      'a group',
      { message: message({ text: '@my_bot hello', chat: { id: -1001, type: 'supergroup', title: 'All' } }) },
    ],
    [
      'a press in a group',
      {
        callback_query: {
          id: '9',
          from: ada,
          message: message({ chat: { id: -1, type: 'group' } }),
          data: 'r:1:0',
        },
      },
    ],
    ['a channel', { channel_post: message({ text: 'News', chat: { id: -1002, type: 'channel' } }) }],
    ['another bot', { message: message({ text: 'Hi', from: { ...ada, is_bot: true } }) }],
    ['a kind that nobody asked for', { poll: { id: '1' } }],
  ])('is nobody’s when it comes from %s', (_, update) => {
    expect(read(update)).toEqual({ messages: [], statuses: [], warnings: [] })
  })

  it.each([
    ['', '', 'must be an object in JSON'],
    ['null', '', 'must be an object in JSON'],
    ['{"message":{}}', '/update_id', 'must be a whole number'],
    ['{"update_id":1.5}', '/update_id', 'must be a whole number'],
  ])('is refused when it is %s', (text, pointer, problem) => {
    const refused = expect.objectContaining({
      code: 'BAD_REQUEST',
      problems: [{ pointer, message: problem }],
    })
    expect(() => readTelegram(Buffer.from(text))).toThrow(refused)
  })
})

describe('a press on Telegram', () => {
  const keyboard = {
    reply_markup: {
      inline_keyboard: [
        [{ text: 'Yes', callback_data: 'r:3:0' }],
        [
          { text: 'No', callback_data: 'r:3:1' },
          { text: 'Old', callback_data: 'old' },
        ],
      ],
    },
  }
  const press = (content: Json) =>
    read({
      callback_query: {
        id: '4382bfdwdsb323b2d9',
        from: ada,
        message: message(keyboard),
        chat_instance: '1',
        ...content,
      },
    }).messages[0]

  it('has the id and the words of the button, has no moment, and is to be acknowledged', () => {
    expect(press({ data: 'r:3:1' })).toEqual({
      id: '10000',
      user: { id: '1111', name: 'Ada King', locale: 'en-GB' },
      content: { kind: 'press', id: 'r:3:1', title: 'No' },
      acknowledge: '4382bfdwdsb323b2d9',
    })
  })

  it("says the words of another program's button", () => {
    expect(press({ data: 'old' })?.content).toEqual({ kind: 'text', text: 'Old' })
    expect(press({ game_short_name: 'chess' })).toMatchObject({
      content: { kind: 'ignored' },
      acknowledge: '4382bfdwdsb323b2d9',
    })
  })

  it('is known where the message is not any more', () => {
    const old = { message_id: 5, chat, date: 0 }
    expect(press({ data: 'r:3:1', message: old })?.content).toEqual({ kind: 'press', id: 'r:3:1' })
    expect(press({ data: 'r:3:1', message: undefined })?.user.id).toBe('1111')
  })
})
