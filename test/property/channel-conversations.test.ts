import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type ChannelName, channels } from '../../schemas/channel.ts'
import type { Input } from '../../schemas/input.ts'
import type { UserMessage } from '../../schemas/user-message.ts'
import type { InboundContent } from '../../src/channels/messenger.ts'
import type { ApiRequest } from '../../src/channels/outgoing.ts'
import { continueChat } from '../../src/conversations/continue/continue-chat.ts'
import { getSession } from '../../src/conversations/get-session/get-session.ts'
import { startPublishedChat } from '../../src/conversations/start/start-published-chat.ts'
import { readJson } from '../../src/lib/byte-string.ts'
import { ServiceError } from '../../src/lib/errors.ts'
import { anonymous } from '../../src/ports/caller.ts'
import type { Session } from '../../src/sessions/session.ts'
import { arbitraryFlow } from '../support/arbitrary-flow.ts'
import { askingFlow } from '../support/asking-flow.ts'
import { openChannelUploads } from '../support/channel-uploads.ts'
import { openChannelWorld } from '../support/channel-world.ts'
import type { Json } from '../support/json.ts'
import { messengerProblems } from '../support/providers/messenger-problems.ts'
import { repliesOfPage } from '../support/replies-of-page.ts'
import { createTestChat, type TestChat } from '../support/start.ts'

/** Longer than any pause between messages, and than files are gathered. */
const longPauseMs = 70_000
const mostTurns = 6

/** What a visitor sees next. */
interface Look {
  readonly state: string
  readonly waitingFor?: string
  readonly input?: Input
  readonly clientSideActions?: readonly { type: string; expectsDedicatedReply?: boolean }[]
}

/** The same conversation on a page and on a messenger. */
async function openBoth(definition: Json, on: ChannelName) {
  const flow = { ...definition, publicId: 'flow' }
  const { kept, uploads, deeds } = openChannelUploads()
  const requests: ApiRequest[] = []
  const messenger = await openChannelWorld([flow], {
    messenger: on,
    uploads,
    deeds: {
      ...deeds,
      async send({ request }) {
        requests.push(request)
        return { state: 'sent' }
      },
    },
  })
  const { contacts, key } = messenger
  const web = createTestChat([flow], { publicUrl: messenger.publicUrl })
  let webSession = ''
  const channelSession = async () => {
    const [link] = await contacts.links(key, { limit: 1 })
    return link?.sessionId ?? ''
  }
  const goOn = async (chat: TestChat, sessionId: string, message: UserMessage | null) => {
    try {
      await continueChat({ sessionId, origin: undefined, caller: anonymous, body: { message } }, chat)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
    }
  }
  return {
    requests,
    kept,
    async start() {
      const body = {}
      const request = { publicId: 'flow', origin: undefined, caller: anonymous, body }
      webSession = String(readJson(await startPublishedChat(request, web))['sessionId'])
      await this.say({ kind: 'command', command: 'start', text: '/start' })
    },
    /** Says something on the messenger, and lets all pauses pass. */
    async say(...contents: InboundContent[]) {
      await messenger.receive(...contents.map((content) => messenger.messageOf(content)))
      await this.settle()
    },
    async settle() {
      for (let waits = 0; waits < 40; waits++) {
        await messenger.settle()
        if ((await messenger.outbox.countWaiting()) + (await messenger.inbox.countWaiting()) === 0) return
        messenger.ports.advance(longPauseMs)
      }
      throw new Error('the queues never run dry')
    },
    reply: (message: UserMessage | null) => goOn(web, webSession, message),
    /** What the page that the messenger links to sends back. */
    replyByPage: async (message: UserMessage | null) => goOn(messenger.chat, await channelSession(), message),
    async look(): Promise<Look> {
      try {
        const request = { sessionId: webSession, origin: undefined, caller: anonymous }
        return readJson(await getSession(request, web)) as unknown as Look
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'NOT_FOUND') return { state: 'ended' }
        throw error
      }
    },
    states: async () => ({
      web: stateOf((await web.conversations.look(webSession))?.session),
      messenger: stateOf((await messenger.conversations.look(await channelSession()))?.session),
    }),
    refusals: () => messenger.refusals(),
  }
}

/** All of a conversation that does not come from the clock or from where it is held. */
function stateOf(session: Session | undefined) {
  const { state, waitingBlock, queue = [], answered, transcript, returnMarks } = session ?? {}
  const facts = JSON.stringify({ state, waitingBlock, queue, answered, transcript, returnMarks })
  return JSON.parse(
    facts.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, 'a moment').replace(/\bid-\d+/g, 'an id'),
  ) as Json
}

/** Buttons that a messenger shows, the latest last. */
function buttonsIn(requests: readonly ApiRequest[]): { id: string; title: string }[] {
  const found: { id: string; title: string }[] = []
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { id, title, text, callback_data: data } = value as Readonly<Record<string, unknown>>
    if (typeof id === 'string' && typeof title === 'string') found.push({ id, title })
    if (typeof data === 'string' && typeof text === 'string') found.push({ id: data, title: text })
    Object.values(value).forEach(look)
  }
  look(requests)
  return found
}

type Both = Awaited<ReturnType<typeof openBoth>>

/** Answers the input on the messenger by what is seen there; gives what a page would have sent. */
async function answer(input: Input, both: Both, pick: number): Promise<UserMessage | null> {
  const shown = both.requests.splice(0)
  const replies = repliesOfPage(input)
  if (input.type === 'file input' || takesFiles(input)) {
    const skips = input.type === 'file input' && input.options?.isRequired === false && pick % 4 === 0
    if (!skips) return sendFiles(input, both, pick)
    await press(0, shown, both)
    return null
  }
  if (replies.length === 0) {
    const texts = textsFor(input)
    const text = texts[pick % texts.length] ?? 'Ada'
    await both.say({ kind: 'text', text })
    return text
  }
  const isMultiple = (input.options as { isMultipleChoice?: boolean } | undefined)?.isMultipleChoice === true
  const index = pick % replies.length
  if (!isMultiple) {
    await press(
      index,
      shown,
      both,
      input.type === 'rating input' ? String(replies[index]) : String(index + 1),
    )
    return replies[index] ?? null
  }
  const places = [...new Set([index, (index + 1) % replies.length])].sort((one, other) => one - other)
  await both.say({ kind: 'text', text: places.map((place) => place + 1).join(', ') })
  const labels = places.map((place) => (replies[place] as { text: string }).text)
  return labels.join(', ')
}

async function press(index: number, shown: readonly ApiRequest[], both: Both, number = '') {
  const button = buttonsIn(shown).findLast(({ id }) => id.endsWith(`:${index}`))
  if (button) return both.say({ kind: 'press', ...button })
  const isListed = new RegExp(`(^|[\\s*"])${number}\\. |from \\d+ to \\d+`).test(
    JSON.stringify(shown).replaceAll('\\n', ' '),
  )
  expect(isListed, `option ${index} is not offered: ${JSON.stringify(shown)}`).toBe(true)
  return both.say({ kind: 'text', text: number })
}

const takesFiles = (input: Input) =>
  input.type === 'text input' && input.options?.attachments?.isEnabled === true

async function sendFiles(input: Input, both: Both, pick: number): Promise<UserMessage> {
  const isSeveral =
    input.type === 'text input' || (input.type === 'file input' && input.options?.isMultipleAllowed === true)
  const count = isSeveral ? 1 + (pick % 3) : 1
  const first = both.kept.length
  const caption = input.type === 'text input' ? 'Look' : undefined
  const files = Array.from(
    { length: count },
    (_, index): InboundContent => ({
      kind: 'media',
      media: { id: `f${index}`, type: 'image/png' },
      ...(caption && index === 0 && { caption }),
    }),
  )
  await both.say(...files)
  const urls = files.map((_, index) => `https://flows.example/uploads/${first + index}`)
  return caption ? { type: 'text', text: caption, attachedFileUrls: urls } : urls.join(', ')
}

/** Answers that inputs take, and others. */
function textsFor(input: Input): string[] {
  const usual = [
    'Ada',
    '5',
    'x@y.example',
    'https://a.example',
    '+33612345678',
    'word '.repeat(400),
    '👩‍👩‍👧‍👦 *b*',
  ]
  const { isRange, hasTime } = (input.options ?? {}) as { isRange?: boolean; hasTime?: boolean }
  if (input.type === 'date input') {
    const [from, to] = hasTime ? ['2026-12-01T10:00', '2026-12-03T12:30'] : ['2026-12-01', '2026-12-03']
    return [isRange ? `${from} to ${to}` : String(from), ...usual]
  }
  return input.type === 'time input' ? ['10:30', ...usual] : usual
}

it.each([
  ['that are drawn to be answered', askingFlow, 60],
  ['as no author would draw them', arbitraryFlow, 60],
] as const)(
  'flows %s go on a messenger as they do on a page, by messages that it takes',
  async (_, flows, numRuns) => {
    await fc.assert(
      fc.asyncProperty(
        flows,
        fc.constantFrom(...channels),
        fc.array(fc.nat({ max: 1000 }), { minLength: mostTurns, maxLength: mostTurns }),
        async (definition, on, picks) => {
          const both = await openBoth(definition as Json, on)
          const compare = async () => {
            const { web, messenger } = await both.states()
            expect(messenger).toEqual(web)
            expect(await both.refusals()).toEqual([])
            for (const request of both.requests)
              expect(messengerProblems[on](request as never), JSON.stringify(request)).toEqual([])
          }
          await both.start()
          for (const pick of picks) {
            const { state, waitingFor, input, clientSideActions = [] } = await both.look()
            if (waitingFor === 'action' && clientSideActions.some(({ type }) => type === 'wait')) {
              await both.reply(null)
              continue
            }
            await compare()
            if (state === 'ended' || waitingFor === 'webhook' || waitingFor === 'timer') return
            if (!input) {
              // The page may have been refused, and nothing is said of that here.
              if (both.requests.length === 0) return
              expect(JSON.stringify(both.requests.splice(0))).toContain('/f/flow#session=')
              const message = pick % 2 === 0 ? 'done' : null
              await both.reply(message)
              await both.replyByPage(message)
              await both.settle()
            } else await both.reply(await answer(input, both, pick))
          }
        },
      ),
      { numRuns },
    )
  },
  120_000,
)
