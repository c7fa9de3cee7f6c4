import { expect, it } from 'vitest'
import type { Messenger } from '../../src/channels/messenger.ts'
import { openTestChannels } from '../support/test-channels.ts'

const accounts = { desk: { name: 'whatsapp', messenger: {} as Messenger } } as const
const shop = { account: 'desk', flow: 'f', startOverWords: ['menu'] }

it('gives back what was put, and who put it', async () => {
  const { channels, audit } = openTestChannels({ accounts })
  const described = {
    name: 'shop',
    ...shop,
    messenger: 'whatsapp',
    webhookUrl: 'https://flows.example/v1/channels/shop/webhook',
    isFromFile: false,
  }
  expect(await channels.put('shop', shop, 'ops')).toEqual(described)
  expect(await channels.list()).toEqual([described])
  await channels.remove('shop', 'ops')
  expect(await channels.list()).toEqual([])
  expect((await audit()).map(({ actor, action, subject }) => [actor, action, subject])).toEqual([
    ['ops', 'delete channel', 'shop'],
    ['ops', 'put channel', 'shop'],
  ])
})

it.each([
  [{ ...shop, account: 'nobody' }, '/account'],
  [{ ...shop, hours: { timeZone: 'Mars/Olympus', open: [], text: 'Closed' } }, '/hours/timeZone'],
  [
    {
      ...shop,
      hours: {
        timeZone: 'Europe/Paris',
        open: [{ days: ['monday' as const], from: '22:00', to: '02:00' }],
        text: 'Closed',
      },
    },
    '/hours/open/0/to',
  ],
])('refuses what it can not be, with its place', async (settings, pointer) => {
  const { channels } = openTestChannels({ accounts })
  await expect(channels.put('shop', settings, 'ops')).rejects.toThrow(
    expect.objectContaining({ code: 'BAD_REQUEST', problems: [expect.objectContaining({ pointer })] }),
  )
})

it('leaves channels of the file to the file', async () => {
  const { channels } = openTestChannels({ accounts, file: { shop } })
  expect(await channels.get('shop')).toMatchObject({ isFromFile: true })
  const refusal = expect.objectContaining({ code: 'CONFLICT' })
  await expect(channels.put('shop', shop, 'ops')).rejects.toThrow(refusal)
  await expect(channels.remove('shop', 'ops')).rejects.toThrow(refusal)
})

it('tells of a channel whose account is gone', async () => {
  const { channels } = openTestChannels({ accounts: {}, file: { shop } })
  expect(await channels.get('shop')).toMatchObject({ failing: expect.stringContaining('CREDENTIALS_FILE') })
  expect(await channels.notices()).toEqual([expect.stringContaining('Channel "shop" is not at work')])
})

it('tells of a flow that is not published, by its place', async () => {
  const told = async (settings: object) => {
    const { channels } = openTestChannels({ accounts, flows: ['f'] })
    const { failing } = await channels.put('shop', { ...shop, ...settings }, 'ops')
    return [failing, ...(await channels.noticesAtStart())]
  }
  expect(await told({})).toEqual([undefined])
  const missing = (pointer: string) =>
    `${pointer}: no flow is published as "g", and who writes gets no answer: publish it, or name another`
  const notice = (pointer: string) => `Channel "shop" is not at work: ${missing(pointer)}`
  expect(await told({ flow: 'g' })).toEqual([missing('/flow'), notice('/flow')])
  const flows = [{ flow: 'f', words: ['f'] }, { flow: 'g' }]
  expect(await told({ flows })).toEqual([missing('/flows/1/flow'), notice('/flows/1/flow')])
})

it('shows deliveries, and sends them anew', async () => {
  const { channels, outbox, inbox } = openTestChannels({ accounts, file: { shop } })
  const row = { destination: 'channel:shop', line: 'a', eventId: 'e1', type: 'message', body: '{}' }
  outbox.put([row, { ...row, eventId: 'e2' }])
  const [first] = await outbox.claim([{ destination: 'channel:shop', limit: 1 }], 1000)
  await outbox.settle(first!, { state: 'set aside', error: 'The window is over' })
  const { deliveries } = await channels.deliveriesOf('shop', { state: 'set aside' })
  expect(deliveries).toMatchObject([
    { eventId: 'e1', state: 'set aside', error: 'The window is over', attempts: 1 },
  ])
  expect(await channels.retry('shop', deliveries[0]?.number)).toEqual({ retried: 1 })
  await inbox.put([{ ...row, destination: 'inbox:shop' }])
  const [came] = await inbox.claim([{ destination: 'inbox:shop', limit: 1 }], 1000)
  await inbox.settle(came!, { state: 'set aside', error: 'Flow not found' })
  expect(await channels.retry('shop')).toEqual({ retried: 2 })
  expect(await inbox.list('inbox:shop', { limit: 1 })).toMatchObject([{ state: 'waiting' }])
  await expect(channels.retry('shop', 99)).rejects.toThrow(expect.objectContaining({ code: 'NOT_FOUND' }))
  await expect(channels.deliveriesOf('nowhere', {})).rejects.toThrow(
    expect.objectContaining({ code: 'NOT_FOUND' }),
  )
})
