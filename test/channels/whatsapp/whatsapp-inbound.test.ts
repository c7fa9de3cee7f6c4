import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { PostData, ServerMessage } from 'whatsapp-api-js/types'
import { readWhatsApp } from '../../../src/channels/whatsapp/whatsapp-inbound.ts'
import { answerChallenge, isSignedBy } from '../../../src/channels/whatsapp/whatsapp-webhook.ts'
import type { Json } from '../../support/json.ts'

const read = (body: Json) => readWhatsApp(Buffer.from(JSON.stringify(body)), '106540352242922')

const number = (value: Json, metadata: Json = {}) => ({
  messaging_product: 'whatsapp',
  metadata: { display_phone_number: '15550783881', phone_number_id: '106540352242922', ...metadata },
  ...value,
})
const batch = (...values: Json[]): Json => ({
  object: 'whatsapp_business_account',
  entry: [{ id: '102290129340398', changes: values.map((value) => ({ field: 'messages', value })) }],
})

const sheena = { profile: { name: 'Sheena Nelson' }, wa_id: '16505551234' }
const message = (content: Json) => ({
  from: '16505551234',
  id: 'wamid.HBgLMTY1MDM4Nzk0MzkVAgASGBQzQTRBNjU5OUFFRTAzODEwMTQ0RgA=',
  timestamp: '1749416383',
  ...content,
})
const readOne = (content: Json, contacts: Json[] = [sheena]) =>
  read(batch(number({ contacts, messages: [message(content)] }))).messages[0]

describe('a message of WhatsApp', () => {
  it('has an id, a sender and a moment', () => {
    expect(readOne({ type: 'text', text: { body: 'Does it come in another color?' } })).toEqual({
      id: 'wamid.HBgLMTY1MDM4Nzk0MzkVAgASGBQzQTRBNjU5OUFFRTAzODEwMTQ0RgA=',
      user: { id: '16505551234', name: 'Sheena Nelson', phone: '+16505551234' },
      sentAt: 1_749_416_383_000,
      content: { kind: 'text', text: 'Does it come in another color?' },
    })
  })

  const picture = {
    id: '1003383421387256',
    mime_type: 'image/jpeg',
    sha256: 'SfInY0gGKTsJlUWbwxC1k+FAD0FZHvzwfpvO0zX0GUI=',
  }
  it.each<[string, Json, Json]>([
    [
      'a button of ours',
      {
        type: 'interactive',
        interactive: { type: 'button_reply', button_reply: { id: 'r:4:1', title: 'No' } },
      },
      { kind: 'press', id: 'r:4:1', title: 'No' },
    ],
    [
      'a row of a list',
      {
        type: 'interactive',
        interactive: {
          type: 'list_reply',
          list_reply: { id: 'r:4:9', title: 'Ten', description: 'The tenth' },
        },
      },
      { kind: 'press', id: 'r:4:9', title: 'Ten' },
    ],
    [
      "a button of another program's",
      {
        type: 'interactive',
        interactive: { type: 'button_reply', button_reply: { id: 'cancel', title: 'Cancel' } },
      },
      { kind: 'text', text: 'Cancel' },
    ],
    [
      'a button of a template',
      { type: 'button', button: { payload: 'STOP', text: 'Stop' } },
      { kind: 'text', text: 'Stop' },
    ],
    [
      'a button of a template that carries a press',
      { type: 'button', button: { payload: 'r:1:0', text: 'Begin' } },
      { kind: 'press', id: 'r:1:0', title: 'Begin' },
    ],
    [
      'a form',
      {
        type: 'interactive',
        interactive: {
          type: 'nfm_reply',
          nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"day":"Monday"}' },
        },
      },
      { kind: 'text', text: '{"day":"Monday"}' },
    ],
    [
      'a cart',
      {
        type: 'order',
        order: {
          catalog_id: '194836987003835',
          text: 'Love these!',
          product_items: [
            { product_retailer_id: 'di9ozbzfi4', quantity: 2, item_price: 30, currency: 'USD' },
            { product_retailer_id: 'nqryix03ez', quantity: 1, item_price: 25, currency: 'USD' },
          ],
        },
      },
      { kind: 'text', text: 'Love these!\n2 × di9ozbzfi4\n1 × nqryix03ez' },
    ],
    [
      'a picture',
      { type: 'image', image: { ...picture, caption: 'Look' } },
      { kind: 'media', media: { id: picture.id, type: 'image/jpeg' }, caption: 'Look' },
    ],
    [
      'a voice message',
      { type: 'audio', audio: { id: '1', mime_type: 'audio/ogg; codecs=opus', voice: true } },
      { kind: 'media', media: { id: '1', type: 'audio/ogg' }, isVoice: true },
    ],
    [
      'a sound that is no voice message',
      { type: 'audio', audio: { id: '1', mime_type: 'audio/mpeg', voice: false } },
      { kind: 'media', media: { id: '1', type: 'audio/mpeg' } },
    ],
    [
      'a document whose caption is its name',
      {
        type: 'document',
        document: { id: '1', mime_type: 'application/pdf', filename: 'a.pdf', caption: 'a.pdf' },
      },
      { kind: 'media', media: { id: '1', type: 'application/pdf', name: 'a.pdf' } },
    ],
    [
      'a video',
      { type: 'video', video: { id: '1', mime_type: 'video/mp4' } },
      { kind: 'media', media: { id: '1', type: 'video/mp4' } },
    ],
    [
      'a place',
      { type: 'location', location: { latitude: 38.9806263495, longitude: -131.9428612257, name: 'Sea' } },
      { kind: 'location', latitude: 38.9806263495, longitude: -131.9428612257 },
    ],
    [
      'a contact',
      {
        type: 'contacts',
        contacts: [{ name: { formatted_name: 'Bo' }, phones: [{ phone: '+1 (555) 0', wa_id: '15550' }] }],
      },
      { kind: 'text', text: '+15550' },
    ],
    [
      'a contact who is not on WhatsApp',
      { type: 'contacts', contacts: [{ name: { formatted_name: 'Bo' }, phones: [{ phone: '+1 (555) 0' }] }] },
      { kind: 'text', text: '+1 (555) 0' },
    ],
    [
      'a contact without a phone',
      { type: 'contacts', contacts: [{ name: {} }] },
      { kind: 'ignored', what: 'contacts' },
    ],
    [
      'a sticker',
      { type: 'sticker', sticker: { id: '1', animated: false } },
      { kind: 'ignored', what: 'sticker' },
    ],
    [
      'a reaction',
      { type: 'reaction', reaction: { message_id: 'wamid.x', emoji: '👍' } },
      { kind: 'ignored', what: 'reaction' },
    ],
    [
      'a message that was changed',
      {
        type: 'edit',
        edit: { original_message_id: 'wamid.x', message: { type: 'text', text: { body: 'b' } } },
      },
      { kind: 'ignored', what: 'edit' },
    ],
    [
      'a message that was taken back',
      { type: 'revoke', revoke: { original_message_id: 'wamid.x' } },
      { kind: 'ignored', what: 'revoke' },
    ],
    [
      'a kind that the API does not know',
      {
        type: 'unsupported',
        errors: [{ code: 131_051, title: 'Message type unknown', message: 'Message type unknown' }],
        unsupported: { type: 'poll_creation' },
      },
      { kind: 'ignored', what: 'unsupported' },
    ],
    [
      'a message in a group',
      { type: 'text', group_id: 'Y2FwaV9', text: { body: 'a' } },
      { kind: 'ignored', what: 'group' },
    ],
    ['a text without a text', { type: 'text', text: {} }, { kind: 'ignored', what: 'text' }],
    ['a kind with a name that is none', { type: '../x' }, { kind: 'ignored', what: 'unknown' }],
    ['a kind by the name of a prototype', { type: 'constructor' }, { kind: 'ignored', what: 'constructor' }],
  ])('may be %s', (_, content, expected) => {
    expect(readOne(content)?.content).toEqual(expected)
  })

  it('says which ad somebody came by', () => {
    const referral = { source_id: '120226305854810726', source_type: 'ad', ctwa_clid: 'Aff-n8ZTODiE79d22K' }
    expect(readOne({ type: 'text', text: { body: 'Hi' }, referral })?.referral).toEqual({
      sourceId: '120226305854810726',
      clickId: 'Aff-n8ZTODiE79d22K',
    })
  })

  it('is of the kinds that a library of another maker knows', () => {
    const known: ServerMessage = {
      ...message({}),
      from_user_id: 'US.13491208655302741918',
      type: 'interactive',
      interactive: { type: 'list_reply', list_reply: { id: 'r:1:0', title: 'a', description: '' } },
    } as ServerMessage
    const data = batch(number({ contacts: [sheena], messages: [known] })) as unknown as PostData
    expect(read(data as unknown as Json).messages[0]?.content).toEqual({
      kind: 'press',
      id: 'r:1:0',
      title: 'a',
    })
  })
})

describe('a person on WhatsApp', () => {
  const scoped = 'US.13491208655302741918'
  const said = { type: 'text', text: { body: 'Hi' } }

  it('is named by the id for this business, where there is one, and known by the phone number too', () => {
    const contact = { ...sheena, user_id: scoped }
    expect(readOne({ ...said, from_user_id: scoped }, [contact])?.user).toEqual({
      id: scoped,
      otherIds: ['16505551234'],
      name: 'Sheena Nelson',
      phone: '+16505551234',
    })
  })

  it('may hide the phone number, and have a name for all', () => {
    const contact = { profile: { username: 'realsheena' }, user_id: scoped }
    expect(readOne({ ...said, from: undefined, from_user_id: scoped }, [contact])?.user).toEqual({
      id: scoped,
      name: 'realsheena',
    })
  })

  it('is the same after another number, and the message that says so says nothing else', () => {
    const system = { type: 'user_changed_number', body: 'User A changed from 1 to 2', wa_id: '12195555358' }
    const moved = readOne({ type: 'system', system }, [])
    expect(moved?.user).toEqual({ id: '12195555358', otherIds: ['16505551234'], phone: '+12195555358' })
    expect(moved?.content).toEqual({ kind: 'renamed' })
    const ids = { user_id: 'US.2', previous_user_id: scoped }
    expect(readOne({ type: 'system', system: { ...system, ...ids } }, [])?.user).toEqual({
      id: 'US.2',
      otherIds: ['12195555358', '16505551234', scoped],
      phone: '+12195555358',
    })
    const hidden = { type: 'user_changed_user_id', ...ids }
    expect(readOne({ type: 'system', from: undefined, system: hidden }, [])?.user).toEqual({
      id: 'US.2',
      otherIds: [scoped],
    })
  })

  it('is not taken for somebody whose ids are left out', () => {
    const value = number({
      contacts: [{ profile: { name: 'Nobody' } }, sheena],
      messages: [message({ ...said, from: '4930123456' })],
    })
    expect(read(batch(value)).messages[0]?.user).toEqual({ id: '4930123456', phone: '+4930123456' })
  })
})

describe('a batch', () => {
  it('keeps the order of all messages and statuses', () => {
    const text = (id: string) => message({ id, type: 'text', text: { body: id } })
    const inbound = read(
      batch(
        number({ contacts: [sheena], messages: [text('a'), text('b')] }),
        number({ statuses: [{ id: 'wamid.1', status: 'sent', recipient_id: '16505551234' }] }),
        number({ messages: [text('c')] }),
      ),
    )
    expect(inbound.messages.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect(inbound.statuses).toEqual([{ reference: 'wamid.1', status: 'sent' }])
    expect(inbound.warnings).toEqual([])
  })

  it('names statuses by what was sent along, and says why a message has failed', () => {
    const status = (content: Json) => ({
      id: 'wamid.1',
      recipient_id: '1',
      biz_opaque_callback_data: 's:3:0',
      ...content,
    })
    const errors = [
      {
        code: 131_047,
        title: 'Re-engagement message',
        message: 'Re-engagement message',
        error_data: { details: 'More than 24 hours have passed.' },
      },
    ]
    const statuses = [
      status({ status: 'delivered' }),
      status({ status: 'read' }),
      status({ status: 'played' }),
      status({ status: 'failed', errors }),
      status({ status: 'warning' }),
    ]
    expect(read(batch(number({ statuses }))).statuses).toEqual([
      { reference: 's:3:0', status: 'delivered' },
      { reference: 's:3:0', status: 'read' },
      { reference: 's:3:0', status: 'read' },
      {
        reference: 's:3:0',
        status: 'failed',
        error: { kind: 'window', message: '131047: Re-engagement message: More than 24 hours have passed.' },
      },
    ])
  })

  it('tells what is not for this number, and what is for nobody', () => {
    const said = message({ type: 'text', text: { body: 'Hi' } })
    const inbound = read(
      batch(
        number({ messages: [said] }, { phone_number_id: '999' }),
        number({ messages: [{ ...said, id: 'with blank' }] }),
        number({ errors: [{ code: 131_000, title: 'Something went wrong' }] }),
      ),
    )
    expect(inbound).toEqual({
      messages: [],
      statuses: [],
      warnings: [
        'Messages for the phone number id 999 came here: give that number an address of its own',
        'Messages without an id or a sender: 1',
        '131000: Something went wrong',
      ],
    })
  })

  it('leaves other subjects of the webhook', () => {
    const change = { field: 'smb_message_echoes', value: number({ messages: [message({})] }) }
    const body = { object: 'whatsapp_business_account', entry: [{ changes: [change] }] }
    expect(read(body)).toEqual({ messages: [], statuses: [], warnings: [] })
  })

  it.each([
    ['', '', 'must be an object in JSON'],
    ['[]', '', 'must be an object in JSON'],
    ['{"object":"page"}', '/object', 'must be "whatsapp_business_account"'],
    [`{"object":${'['.repeat(70)}${']'.repeat(70)}}`, '', 'must be an object in JSON'],
  ])('is refused when it is %s', (text, pointer, problem) => {
    const refused = expect.objectContaining({
      code: 'BAD_REQUEST',
      problems: [{ pointer, message: problem }],
    })
    expect(() => readWhatsApp(Buffer.from(text), '1')).toThrow(refused)
  })
})

describe('a request of WhatsApp', () => {
  const request = (
    headers: Json,
    query: Record<string, string> = {},
    body = Buffer.from('{"a":"é\\u00e9"}'),
  ) => ({
    headers: headers as Record<string, string>,
    query,
    url: 'https://flows.example/v1/channels/shop/webhook',
    body,
  })
  const sign = (body: Buffer, secret = 'the secret') =>
    createHmac('sha256', secret).update(body).digest('hex')

  it('is genuine when its bytes were signed with the secret of the app', () => {
    const body = Buffer.from([0x7b, 0xff, 0x00, 0x7d])
    const signed = (signature: unknown) =>
      isSignedBy('the secret', request({ 'x-hub-signature-256': signature }, {}, body))
    expect(signed(`sha256=${sign(body)}`)).toBe(true)
    expect(signed(`sha256=${sign(body).toUpperCase()}`)).toBe(true)
    for (const wrong of [
      undefined,
      '',
      sign(body),
      `sha1=${sign(body)}`,
      `sha256=${sign(body, 'another')}`,
      `sha256=${sign(body)}0`,
      `sha256=${sign(body).slice(2)}`,
      [`sha256=${sign(body)}`],
    ])
      expect(signed(wrong), String(wrong)).toBe(false)
    expect(isSignedBy('the secret', request({ 'x-hub-signature-256': `sha256=${sign(body)}` }))).toBe(false)
  })

  it('is answered with its challenge when it has the token', () => {
    const query = { 'hub.mode': 'subscribe', 'hub.verify_token': 'token', 'hub.challenge': '1158201444' }
    const answer = (change: Json) =>
      answerChallenge('token', request({}, { ...query, ...change } as typeof query))
    expect(answer({})).toBe('1158201444')
    for (const wrong of [
      { 'hub.mode': 'unsubscribe' },
      { 'hub.verify_token': 'other' },
      { 'hub.verify_token': undefined },
      { 'hub.challenge': undefined },
      { 'hub.challenge': '<script>' },
      { 'hub.verify_token': ['token'] },
    ])
      expect(answer(wrong), JSON.stringify(wrong)).toBeUndefined()
  })
})
