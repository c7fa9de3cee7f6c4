import type { ChannelName } from '../../schemas/channel.ts'
import type { ChannelBody } from '../../schemas/channels.ts'
import { ChannelDirectory, type OpenChannel } from '../../src/channels/channel-directory.ts'
import { answerEvent } from '../../src/channels/inbox/answer-event.ts'
import { rowOfMessage } from '../../src/channels/inbox/inbox-row.ts'
import { contactIdOf } from '../../src/channels/inbox/person.ts'
import type { InboundContent, InboundMessage, Messenger } from '../../src/channels/messenger.ts'
import { Pace } from '../../src/channels/outbox/pace.ts'
import { sendEvent } from '../../src/channels/outbox/send-event.ts'
import { createChannelOutput } from '../../src/channels/outbox/write-turn.ts'
import type { ApiRequest } from '../../src/channels/outgoing.ts'
import { contactKey } from '../../src/conversations/contact/met-contact.ts'
import { Conversations } from '../../src/stores/conversations/conversations.ts'
import { MemoryContactStore } from '../../src/stores/memory/memory-contact-store.ts'
import { MemoryInbox } from '../../src/stores/memory/memory-inbox.ts'
import { MemoryTable } from '../../src/stores/memory/memory-table.ts'
import { MemoryResultStore } from '../../src/stores/memory/results/memory-result-store.ts'
import type { ClaimedEvent } from '../../src/stores/outgoing/outbox-store.ts'
import { noUploads, type Uploads } from '../../src/uploads/uploads-service.ts'
import { fixedPorts } from './fixed-ports.ts'
import type { Json } from './json.ts'
import { openMemoryOutbox } from './memory-outbox.ts'
import { nowhere } from './nowhere.ts'
import { createTestChat } from './start.ts'

const enough = 64 * 1024 * 1024
const weekMs = 7 * 24 * 60 * 60_000

/** A message of a messenger as a test sees it: what it was sent to whom. */
export interface Sent {
  readonly to: string
  readonly request: ApiRequest
}

interface WorldOptions {
  readonly messenger?: ChannelName
  readonly settings?: Partial<ChannelBody>
  readonly uploads?: Pick<Uploads, 'offer' | 'receive'>
  /** In place of those that do nothing. */
  readonly deeds?: Partial<Messenger>
  readonly publicUrl?: string
}

/** A channel over stores in memory, whose messenger notes what it is sent. Nothing happens by itself. */
export async function openChannelWorld(definitions: readonly Json[], options: WorldOptions = {}) {
  const { messenger: type = 'telegram', uploads = noUploads, publicUrl = 'https://flows.example' } = options
  const ports = fixedPorts()
  const bounds = { maxEvents: 10_000, deliveredMs: weekMs, setAsideMs: weekMs }
  const outbox = openMemoryOutbox(ports.now, bounds)
  const inbox = new MemoryInbox({
    maxWaiting: 1000,
    maxOfLine: 100,
    maxEvents: 10_000,
    maxBytes: enough,
    knownMs: weekMs,
    now: ports.now,
  })
  const results = new MemoryResultStore({ maxBytes: enough })
  const contacts = new MemoryContactStore({ maxBytes: enough, queues: [outbox, inbox], now: ports.now })
  const table = new MemoryTable({
    sessions: { ttlMs: weekMs, maxSessions: 1000, maxBytes: enough, previewMaxBytes: enough },
    answers: { maxBytes: enough, ttlMs: weekMs },
    results,
    contacts,
    outbox,
    now: ports.now,
  })
  const { appendLogs } = results
  const conversations = new Conversations({ table, appendLogs, maxQueuedTurns: 4, now: ports.now })
  const channelOutput = createChannelOutput(publicUrl)
  const world = { ports, conversations, contacts, results, channelOutput, publicUrl }
  const chat = { ...createTestChat(definitions, world), channelOutput }
  const sent: Sent[] = []
  const shown: string[] = []
  const messenger: Messenger = {
    isGenuine: () => true,
    parse: () => ({ messages: [], statuses: [], warnings: [] }),
    async send({ to, request }) {
      sent.push({ to, request })
      return { state: 'sent' }
    },
    async showTyping() {
      shown.push('typing')
    },
    async acknowledge(id) {
      shown.push(`acknowledged ${id}`)
    },
    download: () => Promise.reject(new Error('it has no files')),
    check: async () => [],
    tellsStatuses: false,
    rates: { person: { messages: 1000, perMs: 1 }, account: { messages: 1000, perMs: 1 } },
    ...options.deeds,
  }
  const [flow] = definitions as { publicId?: string; id: string }[]
  const settings = { account: 'desk', flow: flow?.publicId ?? flow?.id ?? '', ...options.settings }
  const directory = new ChannelDirectory({
    table: { list: async () => [] },
    file: new Map([['support', settings]]),
    openAccount: (id) => (id === 'desk' ? { name: type, messenger } : undefined),
  })
  const channel = directory.find('support') as OpenChannel
  const calls = { http: nowhere.http, closing: new AbortController().signal }
  const answering = { chat, uploads, calls }
  const never = () => 0
  const { person, account } = messenger.rates
  const isOurs = () => true
  const sending = {
    isOurs,
    ...ports,
    calls,
    contacts,
    inbox,
    pace: { person: new Pace(person, never), account: new Pace(account, never) },
  }

  /** Takes what is in the inbox and sends what is in the outbox, until neither has anything due. */
  async function settle(): Promise<void> {
    for (;;) {
      const came = await inbox.claim([{ destination: channel.inbox, limit: 10 }], 1000)
      for (const event of came)
        await inbox.settle(event, await answerEvent(event, channel, { ...answering, isOurs }))
      const going = await outbox.claim([{ destination: channel.destination, limit: 10 }], 1000)
      for (const event of going)
        await outbox.settle(event, (await sendEvent(event, channel, sending)).outcome)
      if (came.length + going.length === 0) return
    }
  }

  const keyOf = (user: string) => contactKey({ id: contactIdOf(user, channel), isVerified: true })

  let count = 0
  const messageOf = (content: InboundContent, more: Partial<InboundMessage> = {}): InboundMessage => {
    count += 1
    return { id: `m${count}`, user: { id: '4711', name: 'Ada' }, content, ...more }
  }
  const receive = (...messages: InboundMessage[]) =>
    inbox.put(messages.map((each) => rowOfMessage(each, channel)))

  return {
    ...world,
    chat,
    erasing: { ...chat, eraseFiles: async () => undefined },
    keyOf,
    key: keyOf('4711'),
    answer: (event: ClaimedEvent, more = { isOurs }) =>
      answerEvent(event, channel, { ...answering, ...more }),
    audit: chat.audit,
    directory,
    inbox,
    outbox,
    channel,
    shown,
    messageOf,
    receive,
    settle,
    /** What is sent to somebody who does something; texts as they are, else requests. */
    async do(content: InboundContent, more: Partial<InboundMessage> = {}) {
      await receive(messageOf(content, more))
      return this.sent()
    },
    say(text: string, more: Partial<InboundMessage> = {}) {
      return this.do({ kind: 'text', text }, more)
    },
    /** What was sent since it was last asked. */
    async sent() {
      await settle()
      return sent.splice(0).map(({ request: { body } }) => describe(body))
    },
    /** What became of messages: the error of those that were set aside. */
    async refusals() {
      const rows = await inbox.list(channel.inbox, { limit: 100, state: 'set aside' })
      return rows.map(({ error }) => error)
    },
  }
}

/** A text of Telegram as it is, with its buttons behind it; a request of WhatsApp by what it holds. */
function describe(body: ApiRequest['body']): unknown {
  const { text, reply_markup: markup } = body as {
    text?: string
    reply_markup?: { inline_keyboard: { text: string; callback_data: string }[][] }
  }
  if (typeof text !== 'string') return body['text'] ?? body
  if (!markup) return text
  return {
    text,
    buttons: markup.inline_keyboard.flat().map(({ text: title, callback_data: id }) => [title, id]),
  }
}
