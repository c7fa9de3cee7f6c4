import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type ContinueAnswer,
  type Conversation,
  GoneError,
  type Input,
  RefusedError,
  type SessionEvent,
  type SessionState,
  StaleError,
  type StartOptions,
  type TranscriptLine,
  UnreachableError,
  type UserMessage,
} from '../../client/client.ts'
import type { ChatMemory, Marked, RememberedChat } from '../../pages/shared/chat/chat-memory.ts'
import { createChatModel } from '../../pages/shared/chat/chat-model.ts'

const question: Input = { id: 'i1', type: 'text input' }
const choice: Input = { id: 'i2', type: 'choice input', items: [{ id: 'c1', content: 'A new website' }] }
const date: Input = { id: 'i3', type: 'date input' }
const message = (text: string) => ({
  id: text,
  type: 'text' as const,
  content: { type: 'markdown' as const, markdown: text },
})

/** What a service does with a request: it answers, refuses, or fails otherwise. */
type Outcome = Partial<ContinueAnswer> | Error

interface World {
  readonly replies?: readonly Outcome[]
  readonly starts?: readonly Outcome[]
  readonly memory?: ChatMemory
  readonly first?: Input
  readonly look?: Partial<SessionState> | Error
  readonly transcript?: readonly TranscriptLine[]
  readonly actsAfterSeconds?: number
  readonly hasOperators?: boolean
  readonly perform?: NonNullable<Parameters<typeof createChatModel>[0]['perform']>
}

function remember(chat?: RememberedChat): ChatMemory & { readonly chat: () => RememberedChat | undefined } {
  let [kept, draft, marked]: [typeof chat, string, Marked | undefined] = [chat, '', undefined]
  return {
    chat: () => kept,
    recall: () => kept,
    keep(next) {
      kept = JSON.parse(JSON.stringify(next))
    },
    forget() {
      kept = undefined
    },
    recallDraft: () => draft,
    keepDraft(text) {
      draft = text
    },
    recallMarked: () => marked,
    keepMarked(next) {
      marked = next
    },
    recallVisitor: () => undefined,
    keepVisitor() {},
  }
}

/** A chat with a service that does these things one after the other. */
function openChat({
  replies = [],
  starts = [],
  memory = remember(),
  first = question,
  look = {},
  transcript,
  actsAfterSeconds,
  hasOperators = false,
  perform,
}: World = {}) {
  const events: (readonly SessionEvent[] | Error)[] = []
  const session = {
    look,
    transcript,
    events,
    streams: 0,
    looks: 0,
    skips: 0,
    onLook(): unknown {
      return undefined
    },
  }
  const sent: {
    readonly message: UserMessage | undefined
    readonly key: string | undefined
    readonly takesAnyVersion?: true
  }[] = []
  const startKeys: (string | undefined)[] = []
  const left = { replies: [...replies], starts: [...starts] }
  let tell = () => {}
  /** Something happens to the session by itself. */
  const happens = async (now: Partial<SessionState> | Error, events: readonly SessionEvent[] | Error) => {
    session.look = now
    session.events.push(events)
    await vi.dynamicImportSettled()
    tell()
    await vi.advanceTimersByTimeAsync(10)
    await vi.dynamicImportSettled()
  }
  const give = async (outcome: Outcome | undefined) => {
    if (outcome instanceof Error) throw outcome
    return { messages: [], ...outcome } as ContinueAnswer
  }
  const acts = actsAfterSeconds === undefined ? {} : { actsAfterSeconds }
  const conversation = {
    sessionId: 's1',
    version: '"1"',
    reply(said, { key, takesAnyVersion = false } = {}) {
      sent.push({ message: said, key, ...(takesAnyVersion && { takesAnyVersion }) })
      return give(left.replies.shift())
    },
    async look() {
      session.looks += 1
      void session.onLook()
      if (session.look instanceof Error) throw session.look
      return session.look as SessionState
    },
    async transcript() {
      if (!session.transcript) throw refused(404)
      return session.transcript
    },
    async *events(signal) {
      session.streams += 1
      signal?.addEventListener('abort', () => tell())
      while (!signal?.aborted) {
        const events = session.events.shift()
        if (events instanceof Error) throw events
        if (events) yield* events
        else await new Promise<void>((resolve) => (tell = resolve))
      }
    },
    async skipToTimer() {
      session.skips += 1
      return give(left.replies.shift())
    },
    report: async () => undefined,
  } as Partial<Conversation> as Conversation
  const model = createChatModel({
    client: { resume: () => conversation },
    memory,
    ...(perform && { perform }),
    isInstant: true,
    hasOperators,
    async start({ key }: StartOptions) {
      startKeys.push(key)
      const turn = await give(left.starts.shift() ?? { messages: [message('Hello')], input: first, ...acts })
      const answer = { ...turn, sessionId: 's1', resultId: 'r1', flow: { id: 'f', theme: {}, settings: {} } }
      return { conversation, answer: answer as never }
    },
  })
  return { model, sent, startKeys, memory, session, happens }
}

type Chat = ReturnType<typeof openChat>

const said = ({ model }: Chat) => model.entries.value.filter((entry) => entry.kind === 'said')

/** Types into the composer, and sends it. */
const type = ({ model }: Chat, text: string) => {
  model.draft.value = text
  return model.reply({ message: text, shown: text, typed: text })
}

const network = new EventTarget()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('addEventListener', network.addEventListener.bind(network))
  vi.stubGlobal('removeEventListener', network.removeEventListener.bind(network))
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function begin(world: World = {}): Promise<Chat> {
  const chat = openChat(world)
  void chat.model.open()
  await vi.advanceTimersByTimeAsync(10)
  return chat
}

const refused = (status: number, retryAfter?: number, errors?: { pointer: string; message: string }[]) =>
  new RefusedError(
    status,
    { code: 'X', message: 'said by the service', ...(errors && { errors }) } as never,
    retryAfter,
  )

describe('a reply that can be sent again', () => {
  it.each([
    ['the connection breaks', new UnreachableError('gone'), 'The connection was lost. Your words are safe'],
    [
      'the service has too much to do',
      refused(503, 7),
      'There is too much to do at the moment. Your words are safe',
    ],
    ['a proxy names no time', refused(503, 0), 'There is too much to do at the moment. Your words are safe'],
    ['the service fails', refused(500), 'There is too much to do at the moment. Your words are safe'],
    ['somebody sends too often', refused(429, 7), 'That was very often in a short time. Your words are safe'],
  ])('stays where it was said when %s, and is sent by itself with its key', async (_when, error, reason) => {
    const chat = await begin({ replies: [error, { messages: [message('Hi')], input: question }] })
    void type(chat, 'my words')
    await vi.advanceTimersByTimeAsync(10)
    expect(chat.model.notice.value?.text).toContain(reason)
    expect(said(chat)).toMatchObject([{ text: 'my words', isUnsent: true }])
    expect(chat.model.draft.value).toBe('')
    await vi.advanceTimersByTimeAsync(7000)
    expect(chat.sent).toEqual([{ message: 'my words', key: expect.any(String) }, chat.sent[0]])
    expect(said(chat)).toMatchObject([{ text: 'my words', isUnsent: false }])
    expect(chat.model).toMatchObject({ notice: { value: undefined }, phase: { value: 'waiting' } })
  })

  it('waits for as long as the service says, unless somebody is in a hurry', async () => {
    const chat = await begin({ replies: [refused(503, 60), refused(503, 60), { input: question }] })
    void type(chat, 'my words')
    await vi.advanceTimersByTimeAsync(59_000)
    expect(chat.sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(2000)
    expect(chat.sent).toHaveLength(2)
    expect(chat.model.notice.value?.label).toBe('Try now')
    chat.model.notice.value?.act?.()
    await vi.advanceTimersByTimeAsync(10)
    expect(chat.sent).toHaveLength(3)
    expect(chat.model.phase.value).toBe('waiting')
  })

  it('is asked for at once when its answer is late, and says so meanwhile', async () => {
    const late = new UnreachableError('late', { isLate: true })
    const chat = openChat({ replies: [late, refused(409, 1), { input: question }] })
    void chat.model.open()
    await vi.advanceTimersByTimeAsync(10)
    void type(chat, 'my words')
    await vi.advanceTimersByTimeAsync(10)
    expect(chat.sent).toHaveLength(2)
    expect(chat.model.notice.value?.text).toContain('This takes longer than usual.')
    await vi.advanceTimersByTimeAsync(1000)
    expect(new Set(chat.sent.map(({ key }) => key)).size).toBe(1)
    expect(chat.model.notice.value).toBeUndefined()
  })

  it('is sent once when the network is back', async () => {
    vi.stubGlobal('navigator', { onLine: false })
    const lost = new UnreachableError('offline')
    const chat = await begin({ replies: [lost, lost, lost, lost, lost, lost, { input: question }] })
    void type(chat, 'my words')
    await vi.advanceTimersByTimeAsync(40_000)
    expect(chat.model.notice.value?.text).toBe(
      'You are offline. Your words are safe. It is tried again by itself.',
    )
    expect(chat.model.isConnected.value).toBe(false)
    const before = chat.sent.length
    network.dispatchEvent(new Event('online'))
    network.dispatchEvent(new Event('online'))
    await vi.advanceTimersByTimeAsync(10)
    expect(chat.sent).toHaveLength(before + 1)
    expect(chat.model).toMatchObject({ phase: { value: 'waiting' }, isConnected: { value: true } })
  })

  it('is sent after a reload with the key that it had', async () => {
    const chat = await begin({ replies: [new UnreachableError('gone')] })
    void type(chat, 'my words')
    await vi.advanceTimersByTimeAsync(10)
    const reloaded = await begin({
      memory: chat.memory,
      replies: [{ messages: [message('Hi')], input: question }],
    })
    expect(reloaded.sent).toEqual(chat.sent)
    expect(reloaded.model.entries.value).toMatchObject([
      { kind: 'message' },
      { kind: 'said', text: 'my words', isUnsent: false },
      { kind: 'message', message: { id: 'Hi' } },
    ])
  })
})

describe('a conversation that comes from elsewhere', () => {
  const arriving = () =>
    remember({
      sessionId: 's1',
      version: undefined,
      entries: [],
      isOver: false,
      progress: undefined,
      theme: {},
      settings: {},
    })
  const flow = { id: 'f', version: '6.1', theme: {}, settings: {} }
  const text = (line: string, more = {}) => ({
    kind: 'message',
    message: expect.objectContaining({
      content: { type: 'richText', richText: [{ type: 'p', children: [{ text: line }] }] },
      ...more,
    }),
  })
  const arrive = async (world: World) => {
    const memory = arriving()
    const chat = await begin({ ...world, memory })
    await vi.dynamicImportSettled()
    await vi.advanceTimersByTimeAsync(10)
    await vi.dynamicImportSettled()
    return { chat, memory }
  }

  it('begins with what was said, what timers have said once, and keeps it', async () => {
    const { chat, memory } = await arrive({
      look: { flow, input: question, messages: [message('Still there?')] },
      transcript: [
        { role: 'assistant', text: 'Hello' },
        { role: 'user', text: 'Hi' },
        { role: 'person', name: 'Ada', text: 'I am here' },
        { role: 'assistant', text: 'Still there?' },
      ],
    })
    const said = [text('Hello'), { kind: 'said', text: 'Hi' }, text('I am here', { sender: { name: 'Ada' } })]
    expect(chat.model.entries.value).toEqual([...said, text('Still there?')])
    expect(chat.model).toMatchObject({ revealed: { value: 4 }, phase: { value: 'waiting' } })
    expect(memory.chat()?.entries).toHaveLength(4)
  })

  it('begins with the question where no transcript is kept', async () => {
    const { chat } = await arrive({ look: { flow, input: question } })
    expect(chat.model.entries.value).toEqual([])
    expect(chat.model).toMatchObject({ input: { value: question }, notice: { value: undefined } })
  })

  it.each([[undefined], [[{ role: 'assistant' as const, text: 'https://a.example/' }]]])(
    'has the embed that it waits for',
    async (transcript) => {
      const embed = { id: 'e', type: 'embed' as const, content: { url: 'https://a.example/' } }
      const { chat } = await arrive({
        look: { flow, waitingFor: 'action', messages: [embed] },
        ...(transcript && { transcript }),
      })
      expect(chat.model.entries.value).toEqual([{ kind: 'message', message: embed }])
    },
  )
})

describe('a reply that is refused', () => {
  it.each([
    [
      refused(400, undefined, [{ pointer: '/message', message: 'must have at most 9 characters' }]),
      'This text is too long',
    ],
    [refused(413), 'This text is too long'],
    [refused(400), 'could not be taken'],
  ])('asks again, with the words in the field: %s', async (error, reason) => {
    const chat = await begin({ replies: [error, { input: choice }] })
    const replied = type(chat, 'my words')
    chat.model.draft.value = 'typed meanwhile'
    await replied
    expect(chat.model.notice.value).toMatchObject({ text: expect.stringContaining(reason) })
    expect(chat.model.notice.value?.label).toBeUndefined()
    expect(chat.model.draft.value).toBe('my words typed meanwhile')
    expect(chat.model.input.value).toEqual(question)
    expect(chat.model.phase.value).toBe('waiting')
    expect(said(chat)).toMatchObject([{ text: 'my words', isUnsent: true }])
    void type(chat, 'my')
    await vi.advanceTimersByTimeAsync(10)
    expect(chat.sent[1]?.key).not.toBe(chat.sent[0]?.key)
    expect(chat.model.notice.value).toBeUndefined()
  })

  it('is words while the service waits, and the field takes other ones', async () => {
    const asleep = { wakesAt: '2026-11-23T08:00:00.000Z' }
    const chat = await begin({ starts: [asleep], replies: [refused(413), asleep] })
    await type(chat, 'my words')
    expect(chat.model).toMatchObject({
      phase: { value: 'asleep' },
      draft: { value: 'my words' },
      notice: { value: { text: expect.stringContaining('too long') } },
    })
    await type(chat, 'my')
    expect(chat.model).toMatchObject({ phase: { value: 'asleep' }, draft: { value: '' } })
  })

  it('keeps the words in a tab that is behind another one, and asks what is asked there', async () => {
    const stale = new StaleError(412, { input: choice } as never, '"2"')
    const chat = await begin({ replies: [stale] })
    await type(chat, 'stale words')
    expect(chat.model.notice.value?.text).toContain('gone on in another tab')
    expect(chat.model).toMatchObject({ draft: { value: 'stale words' }, input: { value: choice } })
  })

  it('keeps the words when the conversation is gone, and starts again', async () => {
    const chat = await begin({ replies: [new GoneError(404)] })
    await type(chat, 'last words')
    expect(chat.model.notice.value).toMatchObject({
      text: 'This conversation is over.',
      label: 'Start again',
    })
    chat.model.notice.value?.act?.()
    await vi.advanceTimersByTimeAsync(10)
    expect(chat.model).toMatchObject({ draft: { value: 'last words' }, phase: { value: 'waiting' } })
    expect(said(chat)).toEqual([])
  })
})

describe('a reply that is not the visitor’s fault', () => {
  it('leaves the words in the field, and starts again', async () => {
    const chat = await begin({ replies: [refused(403)] })
    await type(chat, 'my words')
    expect(chat.model.notice.value).toMatchObject({
      text: 'This conversation can not go on.',
      detail: 'said by the service',
      label: 'Start again',
    })
    expect(chat.model).toMatchObject({ draft: { value: 'my words' }, input: { value: undefined } })
  })

  it('goes on with what the session waits for when its answer is not kept any more', async () => {
    const chat = await begin({ replies: [refused(409)], look: { input: choice } })
    await type(chat, 'my words')
    expect(said(chat)).toMatchObject([{ text: 'my words', isUnsent: false }])
    expect(chat.model).toMatchObject({ draft: { value: '' }, input: { value: choice } })
  })
})

describe('a conversation that can not begin', () => {
  it.each([
    ['unknown', new GoneError(404), 'There is no such conversation.'],
    ['closed', refused(400), 'said by the service'],
    [
      'begun wrongly',
      refused(400, undefined, [{ pointer: '/x', message: 'no' }]),
      'This conversation can not begin.',
    ],
  ])(
    'says so in the words of visitors, without a button that can not help: %s',
    async (_what, error, text) => {
      const { model } = await begin({ starts: [error] })
      expect(model.notice.value).toMatchObject({ text })
      expect(model.notice.value?.label).toBeUndefined()
      expect(model.phase.value).toBe('failed')
    },
  )

  it('begins by itself later, once, where there is too much to do', async () => {
    const chat = await begin({ starts: [refused(503, 2), new UnreachableError('gone')] })
    expect(chat.model.notice.value?.text).toBe(
      'There is too much to do at the moment. It is tried again by itself.',
    )
    await vi.advanceTimersByTimeAsync(10_000)
    expect(chat.startKeys).toEqual([expect.any(String), chat.startKeys[0], chat.startKeys[0]])
    expect(chat.model.phase.value).toBe('waiting')
  })
})

describe('what somebody has typed', () => {
  it('is kept while nothing asks for it, and over a reload', async () => {
    const chat = await begin({ first: choice })
    chat.model.draft.value = 'early words'
    await chat.model.reply({ message: 'A new website', shown: 'A new website' })
    expect(chat.model.draft.value).toBe('early words')
    const reloaded = await begin({ memory: chat.memory, look: { input: question } })
    expect(reloaded.model.draft.value).toBe('early words')
  })
})

describe('what somebody has marked', () => {
  it('stays over a reload and a refusal, until it is taken', async () => {
    const chat = await begin({ first: choice })
    chat.model.marked.value = { i2: ['c1'] }
    const reloaded = await begin({
      memory: chat.memory,
      look: { input: choice },
      replies: [refused(400), { input: choice }],
    })
    await reloaded.model.reply({ message: 'A new website', shown: 'A new website' })
    expect(reloaded.model).toMatchObject({ input: { value: choice }, marked: { value: { i2: ['c1'] } } })
    await reloaded.model.reply({ message: 'A new website', shown: 'A new website' })
    expect(reloaded.model).toMatchObject({ input: { value: choice }, marked: { value: undefined } })
  })
})

describe('what the visitor said', () => {
  it.each([
    ['the label of what was pressed', choice, 'A new website', 'website', 'A new website'],
    ['the date as its field showed it', date, '24/12/2026', '2026-12-24', '24/12/2026'],
    ['what was typed as the flow writes it', question, '020 7946', '+44 20 7946', '+44 20 7946'],
  ])('reads as %s', async (_what, first, shown, lastMessageNewFormat, expected) => {
    const chat = await begin({ first, replies: [{ lastMessageNewFormat }] })
    await chat.model.reply({ message: shown, shown })
    expect(said(chat)).toMatchObject([{ text: expected, blockId: first.id }])
  })
})

describe('a conversation that is started again', () => {
  it('is not disturbed by what was under way', async () => {
    const chat = await begin({ replies: [refused(503, 5), { messages: [message('too late')] }] })
    void type(chat, 'my words')
    await vi.advanceTimersByTimeAsync(10)
    void chat.model.restart()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(chat.sent).toHaveLength(1)
    expect(chat.model.entries.value).toMatchObject([{ message: { id: 'Hello' } }])
    expect(chat.model).toMatchObject({ phase: { value: 'waiting' }, notice: { value: undefined } })
  })
})

describe('a turn that asks something of the browser', () => {
  it('offers a way between its messages, and reveals no more than what was said by then', async () => {
    const redirect = {
      type: 'redirect',
      redirect: { url: 'https://a.example' },
      lastBubbleBlockId: 'One',
    } as const
    const turn = {
      messages: [message('One'), message('Two')],
      input: question,
      clientSideActions: [redirect],
    }
    let shown = 0
    const chat = openChat({
      starts: [turn],
      async perform(_action, { add }) {
        add({ kind: 'way', address: 'https://a.example' })
        shown = chat.model.revealed.value
        return undefined
      },
    })
    await Promise.all([chat.model.open(), vi.advanceTimersByTimeAsync(10)])
    expect(shown).toBe(2)
    expect(chat.model.entries.value).toMatchObject([
      { message: { id: 'One' } },
      { kind: 'way' },
      { message: { id: 'Two' } },
    ])
    expect(chat.model.revealed.value).toBe(3)
  })
})

describe('what the flow says by itself', () => {
  const reminder = message('Still there?')
  const reminded: Partial<SessionState> = { messages: [reminder], input: question }
  const events: readonly SessionEvent[] = [
    { type: 'messages', version: '"2"', messages: [reminder] },
    { type: 'updated', version: '"2"' },
  ]
  const heard = ({ model }: Chat) =>
    model.entries.value.flatMap((entry) => (entry.kind === 'message' ? [entry.message.id] : []))

  it('is listened for only where there may be something', async () => {
    const chat = await begin()
    await vi.advanceTimersByTimeAsync(100_000)
    expect(chat.session).toMatchObject({ streams: 0, looks: 0 })
  })

  it('is shown once, beside the words that are being typed, and answered', async () => {
    const chat = await begin({ actsAfterSeconds: 60, replies: [{ messages: [message('Thanks')] }] })
    chat.model.draft.value = 'half a sen'
    await chat.happens(reminded, events)
    expect(heard(chat)).toEqual(['Hello', 'Still there?'])
    expect(chat.model).toMatchObject({
      phase: { value: 'waiting' },
      draft: { value: 'half a sen' },
      input: { value: question },
      notice: { value: undefined },
      turnStart: { value: 0 },
    })
    void type(chat, 'Ada')
    await vi.advanceTimersByTimeAsync(10)
    expect(heard(chat)).toEqual(['Hello', 'Still there?', 'Thanks'])
    expect(chat.session.streams).toBe(1)
  })

  it('is the answer to what was said in a window of replies, with what is to be done', async () => {
    const done: string[] = []
    const perform = async ({ type }: { readonly type: string }) => void done.push(type)
    const kept = {
      messages: [],
      input: question,
      joinsUntil: '2026-11-21T09:17:03.712Z',
      actsAfterSeconds: 2,
    }
    const chat = await begin({ replies: [kept, kept], perform })
    for (const words of ['I am', 'Ada']) {
      void type(chat, words)
      await vi.advanceTimersByTimeAsync(10)
    }
    expect(chat.model).toMatchObject({ phase: { value: 'waiting' }, input: { value: question } })
    const clientSideActions = [
      { type: 'redirect', redirect: { url: 'https://shop.example', isNewTab: true } },
    ]
    await chat.happens({ messages: [message('Hi Ada')], input: choice }, [
      { type: 'messages', version: '"4"', messages: [message('Hi Ada')], clientSideActions } as SessionEvent,
      { type: 'updated', version: '"4"' },
    ])
    expect([heard(chat), done]).toEqual([['Hello', 'Hi Ada'], ['redirect']])
    expect(chat.model.input.value).toEqual(choice)
  })

  it('stands there once after a reload, with what came meanwhile', async () => {
    const chat = await begin({ actsAfterSeconds: 60 })
    await chat.happens({ ...reminded, actsAfterSeconds: 60 }, events)
    const look = { ...reminded, messages: [reminder, message('Hello?')] }
    const reloaded = await begin({ memory: chat.memory, look })
    expect(heard(reloaded)).toEqual(['Hello', 'Still there?', 'Hello?'])
    expect(reloaded.session.streams).toBe(0)
  })

  it('is caught up with where the stream breaks off', async () => {
    const chat = await begin({ actsAfterSeconds: 60 })
    await chat.happens({ ...reminded, actsAfterSeconds: 60 }, new TypeError('network error'))
    expect(heard(chat)).toEqual(['Hello'])
    await vi.advanceTimersByTimeAsync(3000)
    expect(heard(chat)).toEqual(['Hello', 'Still there?'])
    expect(chat.session.streams).toBe(2)
  })

  it('is looked for when it is due where too many follow', async () => {
    const chat = await begin({ actsAfterSeconds: 60 })
    await chat.happens(reminded, refused(429, 5))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(chat.session).toMatchObject({ streams: 1, looks: 0 })
    await vi.advanceTimersByTimeAsync(2000)
    expect(heard(chat)).toEqual(['Hello', 'Still there?'])
  })

  it('is not shown to who has started again meanwhile', async () => {
    const stale = new StaleError(412, { input: question } as never, '"2"')
    const chat = await begin({ replies: [stale], look: reminded })
    // The code of timers is loading by then.
    chat.session.onLook = async () => {
      for (let ticks = 0; ticks < 8; ticks += 1) await undefined
      void chat.model.restart()
    }
    void type(chat, 'Ada')
    await vi.advanceTimersByTimeAsync(10)
    await vi.dynamicImportSettled()
    expect(heard(chat)).toEqual(['Hello'])
  })

  it('is asked for once by who skips to it, though the answer is lost', async () => {
    const chat = await begin({ replies: [new UnreachableError('gone')], look: reminded })
    await chat.model.skipToTimer()
    expect(heard(chat)).toEqual(['Hello', 'Still there?'])
    expect(chat.session).toMatchObject({ skips: 1, looks: 1 })
  })

  it('does not make an answer that crosses it a stale one', async () => {
    const stale = new StaleError(412, { input: question } as never, '"2"')
    const chat = await begin({
      actsAfterSeconds: 60,
      replies: [stale, { messages: [message('Thanks')] }],
      look: reminded,
    })
    void type(chat, 'Ada')
    await vi.advanceTimersByTimeAsync(10)
    expect(chat.sent.map(({ message: words }) => words)).toEqual(['Ada', 'Ada'])
    expect(chat.sent[1]?.key).not.toBe(chat.sent[0]?.key)
    expect(heard(chat)).toEqual(['Hello', 'Still there?', 'Thanks'])
    expect(said(chat)).toMatchObject([{ text: 'Ada', isUnsent: false }])
    expect(chat.model).toMatchObject({ notice: { value: undefined }, draft: { value: '' } })
  })

  it('takes an answer for words to the person who has come meanwhile, and tells who that is', async () => {
    const stale = new StaleError(412, { input: question } as never, '"2"')
    const input = { id: 'paused', type: 'text input' } as const
    const led = { input, paused: { since: '2026-11-21T09:17:01.712Z', who: 'Ada' } }
    const chat = await begin({
      actsAfterSeconds: 60,
      replies: [stale, { messages: [], ...led, actsAfterSeconds: 5 }],
      look: led,
    })
    await type(chat, 'Eve')
    expect(chat.sent.map(({ message: words }) => words)).toEqual(['Eve', 'Eve'])
    expect(chat.model).toMatchObject({ notice: { value: undefined }, person: { value: 'Ada' } })
    // What the person gives back is asked without a word of other tabs.
    await chat.happens({ input: choice }, [{ type: 'updated', version: '"5"' }])
    expect(chat.model).toMatchObject({
      notice: { value: undefined },
      input: { value: choice },
      person: { value: undefined },
    })
  })

  it('names no version of the session for what an action sends back, where a person has come meanwhile', async () => {
    const action = { type: 'wait', wait: { secondsToWaitFor: 1 }, expectsDedicatedReply: true } as const
    const stale = new StaleError(412, { input: question } as never, '"2"')
    const led = {
      input: { id: 'paused', type: 'text input' },
      paused: { since: '2026-11-21T09:17:01.712Z' },
    } as const
    const chat = await begin({
      starts: [{ clientSideActions: [action] }],
      replies: [stale, { messages: [], ...led }],
      look: led,
      perform: async () => '42',
    })
    await vi.advanceTimersByTimeAsync(10)
    await vi.dynamicImportSettled()
    expect(chat.sent).toMatchObject([{ message: '42' }, { message: '42', takesAnyVersion: true }])
    expect(chat.sent[0]).not.toHaveProperty('takesAnyVersion')
  })

  it('gives an answer back that crosses another question', async () => {
    const stale = new StaleError(412, { input: choice } as never, '"2"')
    const chat = await begin({
      actsAfterSeconds: 60,
      replies: [stale],
      look: { ...reminded, input: choice },
    })
    await type(chat, 'Ada')
    expect(chat.model).toMatchObject({
      notice: { value: undefined },
      draft: { value: 'Ada' },
      input: { value: choice },
      phase: { value: 'waiting' },
    })
    expect(chat.sent).toHaveLength(1)
  })

  it('is no other tab where it leads to another question', async () => {
    const chat = await begin({ actsAfterSeconds: 60 })
    await chat.happens({ ...reminded, input: choice, progress: 40 }, events)
    expect(heard(chat)).toEqual(['Hello', 'Still there?'])
    expect(chat.model).toMatchObject({
      notice: { value: undefined },
      input: { value: choice },
      progress: { value: 40 },
    })
  })

  it('does not make an answer a stale one that comes between it and the state that it leads to', async () => {
    const chat = await begin({
      actsAfterSeconds: 60,
      replies: [new StaleError(412, { input: question } as never, '"2"'), { input: choice }],
      look: reminded,
    })
    await chat.happens(reminded, events.slice(0, 1))
    await type(chat, 'Ada')
    expect(chat.sent).toHaveLength(2)
    expect(heard(chat)).toEqual(['Hello', 'Still there?'])
    expect(chat.model).toMatchObject({ notice: { value: undefined }, input: { value: choice } })
  })

  it('leaves what another tab did to be told as before', async () => {
    const chat = await begin({ actsAfterSeconds: 60 })
    await chat.happens({ input: choice, actsAfterSeconds: 60 }, [{ type: 'updated', version: '"2"' }])
    expect(chat.model.notice.value?.text).toContain('gone on in another tab')
    expect(chat.model.input.value).toEqual(choice)
  })

  it('comes to an end with its last words', async () => {
    const chat = await begin({ actsAfterSeconds: 60 })
    await chat.happens(new GoneError(404), events)
    expect(heard(chat)).toEqual(['Hello', 'Still there?'])
    expect(chat.model.phase.value).toBe('over')
  })

  it('follows a wait of the service, in which the visitor may speak', async () => {
    const asleep = { wakesAt: '2026-11-23T08:00:00.000Z', actsAfterSeconds: 90 }
    const chat = await begin({ starts: [{ messages: [message('Hello')], ...asleep }], replies: [asleep] })
    expect(chat.model).toMatchObject({ phase: { value: 'asleep' } })
    await type(chat, 'Are you there?')
    expect(chat.model).toMatchObject({ phase: { value: 'asleep' } })
    await chat.happens(reminded, events)
    expect(heard(chat)).toEqual(['Hello', 'Still there?'])
    expect(chat.model).toMatchObject({
      phase: { value: 'waiting' },
      input: { value: question },
    })
  })

  it('does what the session asks of the browser then', async () => {
    const action = { type: 'wait', wait: { secondsToWaitFor: 1 }, expectsDedicatedReply: true } as const
    const chat = await begin({
      starts: [{ wakesAt: '2026-11-23T08:00:00.000Z', actsAfterSeconds: 90 }],
      replies: [{ input: question }],
    })
    await chat.happens({ clientSideActions: [action] }, [{ type: 'updated', version: '"2"' }])
    await vi.advanceTimersByTimeAsync(2000)
    expect(chat.sent).toEqual([{ message: undefined, key: expect.any(String) }])
    expect(chat.model.input.value).toEqual(question)
  })
})

describe('a person who comes where nothing is listened for', () => {
  const tab = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  const turn = async (visibilityState: string) => {
    Object.assign(tab, { visibilityState }).dispatchEvent(new Event('visibilitychange'))
    await vi.advanceTimersByTimeAsync(10)
  }
  const enter = async (world: World = {}) => {
    tab.visibilityState = 'visible'
    vi.stubGlobal('document', tab)
    const chat = await begin({ hasOperators: true, ...world })
    await vi.dynamicImportSettled()
    return chat
  }
  const looksWithin = async ({ session }: Chat, seconds: number) => {
    const before = session.looks
    await vi.advanceTimersByTimeAsync(seconds * 1000)
    return session.looks - before
  }
  const led: Partial<SessionState> = {
    input: { id: 'paused', type: 'text input' },
    paused: { since: '2026-11-21T09:17:01.712Z', who: 'Ada' },
    actsAfterSeconds: 5,
  }

  it('is seen within seconds, and followed from then on', async () => {
    const chat = await enter({ look: { input: question } })
    expect(await looksWithin(chat, 12)).toBe(1)
    chat.session.look = led
    await vi.advanceTimersByTimeAsync(13_000)
    expect(chat.model).toMatchObject({
      person: { value: 'Ada' },
      input: { value: led.input },
      notice: { value: undefined },
    })
    expect(await looksWithin(chat, 100)).toBe(0)
    expect(chat.session.streams).toBe(1)
    await chat.happens({ input: question }, [{ type: 'updated', version: '"5"' }])
    expect(chat.model).toMatchObject({ person: { value: undefined }, input: { value: question } })
    expect(await looksWithin(chat, 24)).toBe(2)
  })

  it('is heard once who only writes', async () => {
    const chat = await enter({ look: { input: question } })
    chat.session.look = { input: question, messages: [message('Hello, Ada here')] }
    await vi.advanceTimersByTimeAsync(60_000)
    const texts = chat.model.entries.value.map((entry) => entry.kind === 'message' && entry.message.id)
    expect(texts).toEqual(['Hello', 'Hello, Ada here'])
    expect(chat.model.input.value).toEqual(question)
  })

  it('is nobody who has gone on in another tab, or whose embed is awaited', async () => {
    const chat = await enter({ look: { input: choice, waitingFor: 'input' } })
    await vi.advanceTimersByTimeAsync(30_000)
    chat.session.look = { waitingFor: 'action', messages: [message('embed')] }
    await vi.advanceTimersByTimeAsync(30_000)
    expect(chat.model).toMatchObject({ input: { value: question }, notice: { value: undefined } })
    expect(chat.model.entries.value).toHaveLength(1)
  })

  it('has ended it', async () => {
    const chat = await enter({ look: new GoneError(404) })
    await vi.advanceTimersByTimeAsync(13_000)
    expect(chat.model.phase.value).toBe('over')
    expect(await looksWithin(chat, 3600)).toBe(0)
  })

  it('is looked for while somebody sees it, and at once when that is so again', async () => {
    const chat = await enter()
    await turn('hidden')
    expect(await looksWithin(chat, 3600)).toBe(0)
    await turn('visible')
    expect(chat.session.looks).toBe(1)
    expect(await looksWithin(chat, 120)).toBe(10)
  })

  it('is looked for less after a long silence, and then no more until somebody comes back', async () => {
    const chat = await enter({ replies: [{ input: question }] })
    expect(await looksWithin(chat, 1800)).toBe(150)
    expect(await looksWithin(chat, 600)).toBe(10)
    await type(chat, 'Ada')
    expect(await looksWithin(chat, 60)).toBe(5)
    expect(await looksWithin(chat, 12 * 3600)).toBeLessThan(900)
    expect(await looksWithin(chat, 12 * 3600)).toBe(0)
    await turn('hidden')
    await turn('visible')
    expect(await looksWithin(chat, 60)).toBe(5)
  })

  it('is not looked for before the service lets it, or while something is under way', async () => {
    const chat = await enter({ look: refused(429, 90) })
    expect(await looksWithin(chat, 13)).toBe(1)
    await turn('hidden')
    await turn('visible')
    expect(await looksWithin(chat, 80)).toBe(0)
    expect(await looksWithin(chat, 20)).toBe(1)
    const busy = await enter({ replies: Array(9).fill(new UnreachableError('gone')) })
    void type(busy, 'Ada')
    expect(await looksWithin(busy, 60)).toBe(0)
  })
})
