import { expect, it, onTestFinished } from 'vitest'
import { ChannelDirectory } from '../../../src/channels/channel-directory.ts'
import type { Messenger, SendResult } from '../../../src/channels/messenger.ts'
import { ChannelSender } from '../../../src/channels/outbox/channel-sender.ts'
import type { OutgoingBody } from '../../../src/channels/outbox/write-turn.ts'
import { openMemoryInbox, openMemoryOutbox } from '../../support/memory-outbox.ts'
import { nowhere } from '../../support/nowhere.ts'

/** A channel that may send three messages at once and ten a second, and whose messenger answers by a function; its clock is moved by hand. */
async function open(
  send: (to: string) => SendResult = () => ({ state: 'sent' }),
  { readMs = 0, lateMs = 0 } = {},
) {
  let now = 0
  const clock = () => now
  const outbox = openMemoryOutbox(clock, { maxEvents: 10_000, deliveredMs: 1e9, setAsideMs: 1e9 })
  const sent: string[] = []
  const messenger: Messenger = {
    isGenuine: () => true,
    parse: () => ({ messages: [], statuses: [], warnings: [] }),
    async send({ to }) {
      sent.push(to)
      return send(to)
    },
    showTyping: async () => undefined,
    download: () => Promise.reject(new Error('it has no files')),
    check: async () => [],
    tellsStatuses: false,
    rates: { person: { messages: 1000, perMs: 1 }, account: { messages: 10, perMs: 1000, burst: 3 } },
  }
  const directory = new ChannelDirectory({
    table: { list: async () => [] },
    file: new Map([['support', { account: 'desk', flow: 'f' }]]),
    openAccount: () => ({ name: 'telegram', messenger }),
  })
  const claimed: number[] = []
  const counted: string[] = []
  const sender = new ChannelSender({
    directory,
    outbox: {
      async claim(wanted, leaseMs) {
        const events = await outbox.claim(wanted, leaseMs)
        claimed.push(...events.map(({ number }) => number))
        return events
      },
      settle: (event, outcome) => outbox.settle(event, outcome),
    },
    inbox: openMemoryInbox(),
    contacts: {
      async find() {
        now += readMs
        return { contact: undefined, readAt: 0 }
      },
    },
    conversations: { watchOutgoing: () => () => undefined },
    calls: { http: nowhere.http, closing: new AbortController().signal },
    ports: { now: clock, elapsed: clock, random: () => 0 },
    metrics: { deliveryDone: (to, outcome) => void counted.push(`${to} ${outcome}`) },
    log: { warn: () => undefined },
  })
  onTestFinished(() => sender.close())
  for (let line = 0; line < 8; line++) {
    const body: OutgoingBody = { to: String(line), request: { method: 'sendMessage', body: { text: 'Hi' } } }
    outbox.put([
      {
        destination: 'channel:support',
        line: String(line),
        eventId: `e${line}`,
        type: 'message',
        body: JSON.stringify(body),
      },
    ])
  }
  now = lateMs
  sender.wake()
  const advance = (ms: number) => {
    now += ms
    sender.wake()
  }
  return { sender, sent, claimed, counted, advance }
}

it('takes from the outbox what its account may send now, and leaves the rest', async () => {
  const { sent, claimed, counted, advance } = await open()
  await expect.poll(() => sent.length).toBe(3)
  advance(200)
  await expect.poll(() => sent.length).toBe(5)
  advance(300)
  await expect.poll(() => sent.length).toBe(8)
  expect(claimed).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(counted).toEqual(Array.from({ length: 8 }, () => 'channel delivered'))
})

it('leaves to others what it could not begin to send before its lease ran out', async () => {
  // Whether the person has refused messages since is read for long.
  const { sent, claimed } = await open(undefined, { readMs: 60_000, lateMs: 10_000 })
  await expect.poll(() => claimed.length).toBeGreaterThan(3)
  expect(sent).toEqual([])
})

it('pauses where the account is refused, says so, and tries it with one message', async () => {
  const problem = { kind: 'account', message: 'The token is not valid' } as const
  let isGood = false
  const { sender, sent, counted, advance } = await open(() =>
    isGood ? { state: 'sent' } : { state: 'failed', problem },
  )
  await expect.poll(() => sender.problemOf('support')).toBe('The token is not valid')
  await expect.poll(() => counted).toEqual(['channel failed', 'channel failed', 'channel failed'])
  advance(4000)
  expect(sent).toHaveLength(3)
  advance(1000)
  await expect.poll(() => counted.length).toBe(4)
  isGood = true
  await expect
    .poll(() => {
      advance(1000)
      return sent.length
    })
    .toBe(4 + 8)
  expect(sender.problemOf('support')).toBeUndefined()
})
