import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readTelegram } from '../../src/channels/telegram/telegram-inbound.ts'
import { readWhatsApp } from '../../src/channels/whatsapp/whatsapp-inbound.ts'
import { ServiceError } from '../../src/lib/errors.ts'

const names = {
  whatsapp: [
    ...[
      'object',
      'entry',
      'changes',
      'field',
      'value',
      'metadata',
      'phone_number_id',
      'contacts',
      'wa_id',
      'user_id',
    ],
    ...[
      'profile',
      'name',
      'messages',
      'statuses',
      'errors',
      'id',
      'from',
      'from_user_id',
      'timestamp',
      'type',
      'text',
    ],
    ...[
      'body',
      'interactive',
      'button_reply',
      'nfm_reply',
      'image',
      'mime_type',
      'caption',
      'system',
      'phones',
      'order',
    ],
    ...[
      'product_items',
      'referral',
      'source_id',
      'location',
      'latitude',
      'status',
      'code',
      'error_data',
      'details',
    ],
  ],
  telegram: [
    ...[
      'update_id',
      'message',
      'edited_message',
      'callback_query',
      'my_chat_member',
      'chat',
      'from',
      'id',
      'type',
    ],
    ...[
      'first_name',
      'language_code',
      'date',
      'text',
      'photo',
      'voice',
      'document',
      'file_id',
      'file_size',
      'width',
    ],
    ...[
      'location',
      'latitude',
      'contact',
      'phone_number',
      'data',
      'reply_markup',
      'inline_keyboard',
      'callback_data',
    ],
  ],
}
const words = [
  ...[
    'whatsapp_business_account',
    'messages',
    'wamid.1',
    '1',
    '16505551234',
    'text',
    'image',
    'system',
    'private',
  ],
  ...[
    'r:1:0',
    '/start x',
    'sent',
    'failed',
    '__proto__',
    'constructor',
    '\u0000',
    '\ud800',
    '12345678901234567890',
  ],
]

/** Objects of the names that a messenger uses, with anything inside, nested as its own are. */
const likeOf = (keys: readonly string[]) =>
  fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 9, withCrossShrink: true },
      fc.constantFrom(...words),
      fc.jsonValue({ maxDepth: 1 }),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...keys, '__proto__', 'constructor'), tie('value'), { maxKeys: 6 }),
    ),
  })).value

const deep = (levels: number) => fc.constant(`${'{"entry":['.repeat(levels)}${']}'.repeat(levels)}`)
const bytesOf = (keys: readonly string[]) =>
  fc.oneof(
    likeOf(keys).map((value) => JSON.stringify(value)),
    fc.jsonValue().map((value) => JSON.stringify(value)),
    deep(20_000),
    fc.string({ unit: 'binary' }),
  )

/** Inside the batch that a message has to be in, so that what reads messages is reached. */
const wrapped = {
  whatsapp: (value: unknown) => ({
    object: 'whatsapp_business_account',
    entry: [
      {
        changes: [{ field: 'messages', value: { ...(value as object), metadata: { phone_number_id: '1' } } }],
      },
    ],
  }),
  telegram: (value: unknown) => ({ ...(value as object), update_id: 1 }),
}
const readers = {
  whatsapp: (bytes: Buffer) => readWhatsApp(bytes, '1'),
  telegram: readTelegram,
}

describe.each(['whatsapp', 'telegram'] as const)('anything that is sent to the address of %s', (channel) => {
  it('is read, or refused with an error for people', () => {
    const inside = likeOf(names[channel]).map((value) => JSON.stringify(wrapped[channel](value)))
    let readCount = 0
    fc.assert(
      fc.property(fc.oneof(bytesOf(names[channel]), inside), (text) => {
        try {
          const inbound = readers[channel](Buffer.from(text))
          readCount += 1
          for (const { id, user, content } of inbound.messages) {
            expect(id).toMatch(/^\S{1,256}$/)
            expect(user.id).toMatch(/^\S{1,256}$/)
            if (content.kind === 'ignored') expect(content.what).toMatch(/^[\w ]{1,40}$/)
          }
          expect(JSON.parse(JSON.stringify(inbound))).toEqual(inbound)
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError)
          expect(error).toMatchObject({ code: 'BAD_REQUEST' })
        }
      }),
      { numRuns: 1_000 },
    )
    expect(readCount).toBeGreaterThan(100)
  })
})
