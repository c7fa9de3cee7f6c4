import { expect, it } from 'vitest'
import type { InviteBody } from '../../schemas/channels.ts'
import { invite } from '../../src/channels/invite.ts'
import { createWhatsApp } from '../../src/channels/whatsapp/whatsapp-messenger.ts'
import { changeSession } from '../../src/conversations/take-over/act-on-session.ts'
import { openChannelWorld } from '../support/channel-world.ts'
import { wholeDefinition } from '../support/conformance.ts'

const flow = wholeDefinition({
  settings: { typingEmulation: { enabled: false } },
  variables: ['Order'],
  blocks: [
    { id: 'b', text: 'Order {{Order}} has arrived' },
    { id: 'i', type: 'text input' },
  ],
})

const body: InviteBody = {
  contact: { user: '4711', name: 'Ada' },
  template: {
    name: 'order_arrived',
    language: 'fr',
    components: [{ type: 'body', parameters: [{ type: 'text', text: 'Ada' }] }],
  },
  key: 'order-1',
  consent: { at: '2026-11-20T10:00:00Z', text: 'Tell me', source: 'https://shop.example' },
  variables: { Order: '17' },
}

const { writeTemplate } = createWhatsApp({
  accessToken: 'a',
  phoneNumberId: '1',
  appSecret: 's',
  verifyToken: 'v',
  baseUrl: 'https://graph.example',
})

async function openWorld() {
  const world = await openChannelWorld([flow], {
    messenger: 'whatsapp',
    deeds: { writeTemplate: writeTemplate! },
  })
  const { directory, chat } = world
  const begin = (more: Partial<InviteBody> = {}) =>
    invite({ name: 'support', body: { ...body, ...more }, actor: 'ops' }, { directory, chat })
  return { ...world, begin }
}

it('sends the template, and starts the flow with the answer', async () => {
  const world = await openWorld()
  const invited = await world.begin()
  expect(invited).toEqual({ sessionId: expect.any(String), contactId: 'whatsapp:desk:4711' })
  expect(await world.sent()).toEqual([
    {
      messaging_product: 'whatsapp',
      type: 'template',
      template: {
        name: 'order_arrived',
        language: { code: 'fr' },
        components: [{ type: 'body', parameters: [{ type: 'text', text: 'Ada' }] }],
      },
    },
  ])
  expect(await world.say('thanks')).toEqual([{ body: 'Order 17 has arrived' }])
})

it('keeps the consent with the contact, and the deed in the audit', async () => {
  const world = await openWorld()
  await world.begin()
  const { contact } = await world.contacts.find(world.key)
  expect(JSON.parse(contact?.memory ?? '')).toEqual({
    $consent: ['2026-11-20T10:00:00Z', 'Tell me', 'https://shop.example'],
  })
  expect(world.audit).toMatchObject([
    { actor: 'ops', action: 'invite', subject: 'support', detail: 'by order_arrived' },
  ])
})

it('sends an invitation once, however often it is made', async () => {
  const world = await openWorld()
  const first = await world.begin()
  await world.say('thanks')
  expect(await world.begin()).toEqual(first)
  await expect(world.begin({ variables: { Order: '18' } })).rejects.toThrow(
    expect.objectContaining({ code: 'UNPROCESSABLE_CONTENT' }),
  )
  expect(await world.sent()).toEqual([])
  expect(world.audit).toHaveLength(1)
})

it('interrupts no conversation that goes on', async () => {
  const world = await openWorld()
  await world.say('hi')
  await expect(world.begin()).rejects.toThrow(expect.objectContaining({ code: 'CONFLICT' }))
})

it('leaves whoever wants no messages alone', async () => {
  const world = await openWorld()
  await world.say('hi')
  await world.say('stop')
  await expect(world.begin()).rejects.toThrow(expect.objectContaining({ code: 'CONFLICT' }))
})

it('is for messengers that have templates', async () => {
  const { directory, chat } = await openChannelWorld([flow])
  await expect(invite({ name: 'support', body, actor: 'ops' }, { directory, chat })).rejects.toThrow(
    expect.objectContaining({ code: 'BAD_REQUEST' }),
  )
})

it.each(['stop', 'start over'])('is answered by “%s” as any conversation is', async (word) => {
  const world = await openWorld()
  await world.begin()
  await world.sent()
  const [answer] = await world.say(word)
  expect(JSON.stringify(answer)).toContain(word === 'stop' ? 'no more messages' : 'Order')
  expect(await world.say('hello?')).toEqual([])
  expect(await world.inbox.countWaiting()).toBe(0)
})

it('can be ended by the operator before it is answered, for another one', async () => {
  const world = await openWorld()
  const { sessionId } = await world.begin()
  const caller = { kind: 'admin', name: 'desk' } as const
  const pause = changeSession({ sessionId, caller, body: { status: 'paused' } }, world.chat)
  await expect(pause).rejects.toThrow(expect.objectContaining({ code: 'CONFLICT' }))
  await changeSession({ sessionId, caller, body: { status: 'closed' } }, world.chat)
  const again = await world.begin({ key: 'order-2' })
  expect(again.sessionId).not.toBe(sessionId)
  expect(await world.say('thanks')).toHaveLength(3)
})

it('names the key that belongs to another invitation', async () => {
  const { begin } = await openWorld()
  await begin()
  await expect(begin({ variables: { Order: '18' } })).rejects.toThrow(
    expect.objectContaining({
      code: 'UNPROCESSABLE_CONTENT',
      problems: [{ pointer: '/key', message: 'names another invitation: give each its own' }],
    }),
  )
})
