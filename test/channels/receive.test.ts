import { expect, it } from 'vitest'
import type { InboundMessage, Messenger } from '../../src/channels/messenger.ts'
import { openTestChannels } from '../support/test-channels.ts'

const message: InboundMessage = { id: 'm1', user: { id: '4711' }, content: { kind: 'text', text: 'hi' } }

const messenger = {
  isGenuine: ({ headers }) => headers['x-secret'] === 'right',
  challengeOf: ({ query }) => (query['token'] === 'right' ? query['challenge'] : undefined),
  parse: ({ body }) => JSON.parse(body.toString()),
} as Partial<Messenger> as Messenger

const accounts = { desk: { name: 'telegram', messenger } } as const
const file = { shop: { account: 'desk', flow: 'f' }, lost: { account: 'nobody', flow: 'f' } }

const requestWith = (inbound: object, secret = 'right') => ({
  headers: { 'x-secret': secret },
  query: {},
  url: 'https://flows.example/v1/channels/shop/webhook',
  body: Buffer.from(JSON.stringify({ messages: [], statuses: [], warnings: [], ...inbound })),
})

const waiting = (world: ReturnType<typeof openTestChannels>) =>
  world.inbox.list('inbox:shop', { limit: 10, state: 'waiting' })

it('keeps each message once, and then looks for it', async () => {
  const world = openTestChannels({ accounts, file })
  await world.receiver.receive('shop', requestWith({ messages: [message, { ...message, id: 'm2' }] }))
  await world.receiver.receive('shop', requestWith({ messages: [message] }))
  expect((await waiting(world)).map(({ eventId }) => eventId)).toEqual(['m2', 'm1'])
  expect(world.woken()).toBe(2)
})

it('keeps nothing of what has no effect, and warns of what can not be used', async () => {
  const world = openTestChannels({ accounts, file })
  const ignored = { ...message, content: { kind: 'ignored', what: 'reaction' } }
  await world.receiver.receive('shop', requestWith({ messages: [ignored], warnings: ['Another number'] }))
  expect(await waiting(world)).toEqual([])
  expect(world.warnings).toEqual(['Another number'])
})

it('notes how messages fare, and has what an account could not send wait until it can', async () => {
  const world = openTestChannels({ accounts, file })
  const row = { destination: 'channel:shop', line: 'a', eventId: 'e1', type: 'message', body: '{}' }
  world.outbox.put([row, { ...row, line: 'b', eventId: 'e2' }, { ...row, line: 'c', eventId: 'e3' }])
  const claimed = await world.outbox.claim([{ destination: 'channel:shop', limit: 3 }], 1000)
  for (const event of claimed)
    await world.outbox.settle(event, { state: 'delivered', reference: event.eventId, isTracked: true })
  const failed = (reference: string, kind: string) => ({
    reference,
    status: 'failed',
    error: { kind, message: 'No' },
  })
  const statuses = [failed('e1', 'account'), failed('e2', 'window'), { reference: 'e3', status: 'read' }]
  await world.receiver.receive('shop', requestWith({ statuses }))
  expect(await world.outbox.list('channel:shop', { limit: 9 })).toMatchObject([
    { eventId: 'e3', state: 'delivered', status: 'read' },
    { eventId: 'e2', state: 'set aside', status: 'failed', error: 'No: only a template can be sent now' },
    { eventId: 'e1', state: 'waiting', status: 'failed', error: 'No' },
  ])
  expect(world.failed).toEqual([['shop', 'No']])
})

it('answers strangers and unknown channels alike, and keeps nothing', async () => {
  const world = openTestChannels({ accounts, file })
  const refusal = expect.objectContaining({ code: 'UNAUTHORIZED' })
  const asked = requestWith({ messages: [message] })
  await expect(world.receiver.receive('shop', requestWith({ messages: [message] }, 'wrong'))).rejects.toThrow(
    refusal,
  )
  await expect(world.receiver.receive('nowhere', asked)).rejects.toThrow(refusal)
  await expect(world.receiver.receive('lost', asked)).rejects.toThrow(refusal)
  expect(await waiting(world)).toEqual([])
})

it('refuses what there is no room for, so that it comes again', async () => {
  const world = openTestChannels({ accounts, file })
  const many = Array.from({ length: 6 }, (_, index) => ({
    ...message,
    id: `n${index}`,
    user: { id: `${index}` },
  }))
  await world.receiver.receive('shop', requestWith({ messages: many }))
  await expect(world.receiver.receive('shop', requestWith({ messages: [message] }))).rejects.toThrow(
    expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }),
  )
})

it('answers who asks whether the address is ours', async () => {
  const world = openTestChannels({ accounts, file })
  const asked = { ...requestWith({}), query: { token: 'right', challenge: '17' } }
  expect(await world.receiver.challenge('shop', asked)).toBe('17')
  await expect(world.receiver.challenge('shop', { ...asked, query: { token: 'wrong' } })).rejects.toThrow(
    expect.objectContaining({ code: 'UNAUTHORIZED' }),
  )
})
