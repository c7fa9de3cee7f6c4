import { describe, expect, it } from 'vitest'
import type { Messenger } from '../../../src/channels/messenger.ts'
import { MediaGoneError, MessengerAwayError } from '../../../src/channels/wire/download.ts'
import { resumeOnWebhook } from '../../../src/compose/open-channels.ts'
import { createContacts } from '../../../src/contacts/contacts-service.ts'
import { continueChat } from '../../../src/conversations/continue/continue-chat.ts'
import { changeSession, sayAsPerson } from '../../../src/conversations/take-over/act-on-session.ts'
import { fireTimer } from '../../../src/conversations/timers/fire-timer.ts'
import { ServiceError } from '../../../src/lib/errors.ts'
import { openChannelUploads } from '../../support/channel-uploads.ts'
import { openChannelWorld } from '../../support/channel-world.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import type { Json } from '../../support/json.ts'

const atOnce = { settings: { typingEmulation: { enabled: false } } }

const askingName = wholeDefinition({
  ...atOnce,
  variables: ['Name'],
  blocks: [
    { id: 'b1', text: 'Hello, who are you?' },
    { id: 'i1', type: 'text input', options: { variableId: 'vName' } },
    { id: 'b2', text: 'Hi {{Name}}' },
    { id: 'i2', type: 'text input' },
  ],
})

const choosing = wholeDefinition({
  ...atOnce,
  variables: ['Colour'],
  blocks: [
    { id: 'b1', text: 'Which colour?' },
    {
      id: 'i1',
      type: 'choice input',
      options: { variableId: 'vColour' },
      items: [
        { id: 'red', content: 'Red' },
        { id: 'blue', content: 'Blue' },
      ],
    },
    { id: 'b2', text: '{{Colour}}. And how many?' },
    { id: 'i2', type: 'choice input', items: [{ id: 'one', content: 'One' }] },
    { id: 'b3', text: 'Done' },
  ],
})

/** What the turns of `session-1` are counted from. */
const firstTurn = 2_215_213_096
const button = (turn: number, place: number) => `r:${firstTurn + turn}:${place}`

const colours = {
  text: 'Which colour?',
  buttons: [
    ['Red', button(1, 0)],
    ['Blue', button(1, 1)],
  ],
}
const press = (id: string, title?: string) => ({ kind: 'press', id, ...(title && { title }) }) as const

it('answers the first message with a start, and the next with a continue', async () => {
  const world = await openChannelWorld([askingName])
  expect(await world.say('hi')).toEqual(['Hello, who are you?'])
  expect(await world.say('Ada')).toEqual(['Hi Ada'])
})

it('takes one turn for a message that is delivered twice', async () => {
  const world = await openChannelWorld([askingName])
  await world.say('hi')
  const message = world.messageOf({ kind: 'text', text: 'Ada' })
  await world.receive(message, message)
  await world.receive(message)
  expect(await world.sent()).toEqual(['Hi Ada'])
})

it('takes none for a message that is claimed anew after its turn was kept', async () => {
  const world = await openChannelWorld([askingName])
  for (const [text, answers] of [
    ['hi', ['Hello, who are you?']],
    ['Ada', ['Hi Ada']],
    ['bye', []],
    ['hi again', ['Hello, who are you?']],
  ] as const) {
    await world.receive(world.messageOf({ kind: 'text', text }))
    const [event] = await world.inbox.claim([{ destination: world.channel.inbox, limit: 1 }], 1000)
    await world.answer(event!)
    world.ports.advance(2000)
    expect(await world.sent()).toEqual(answers)
  }
})

it('takes no turn for a first message that another process may have taken, with what came behind it', async () => {
  const world = await openChannelWorld([askingName])
  await world.receive(world.messageOf({ kind: 'text', text: 'hi' }))
  const [event] = await world.inbox.claim([{ destination: world.channel.inbox, limit: 1 }], 1000)
  world.ports.advance(1000)
  expect(await world.say('Ada')).toEqual(['Hello, who are you?', 'Hi Ada'])
  expect(await world.answer(event!, { isOurs: () => false })).toMatchObject({ state: 'waiting' })
  expect(await world.sent()).toEqual([])
})

it('takes messages of one person in their order', async () => {
  const world = await openChannelWorld([askingName])
  await world.receive(
    world.messageOf({ kind: 'text', text: 'hi' }),
    world.messageOf({ kind: 'text', text: 'Ada' }),
  )
  expect(await world.sent()).toEqual(['Hello, who are you?', 'Hi Ada'])
})

it('takes the first message for an answer where the flow begins with a question, unless it only begins the flow', async () => {
  const bare = structuredClone(askingName) as { groups: { blocks: Json[] }[] }
  bare.groups[0]?.blocks.shift()
  const flows = [{ flow: 'flow-1', words: ['hello'] }]
  const world = await openChannelWorld([bare as unknown as Json], { settings: { flows } })
  expect(await world.say('Ada')).toEqual(['Hi Ada'])
  expect(await world.say('start over')).toEqual(['Your answer'])
  expect(await world.say('Zoë')).toEqual(['Hi Zoë'])
  await world.say('bye')
  expect(await world.do({ kind: 'location', latitude: 1, longitude: 2 })).toEqual(['Hi 1, 2'])
  await world.say('bye')
  expect(await world.say('Hello')).toEqual(['Your answer'])
})

it('knows each person by themselves', async () => {
  const world = await openChannelWorld([askingName])
  await world.say('hi')
  expect(await world.say('Bob', { user: { id: '12' } })).toEqual(['Hello, who are you?'])
  expect(await world.say('Ada')).toEqual(['Hi Ada'])
})

describe('a person whom the messenger names anew', () => {
  const withNumber = { user: { id: '336', phone: '+336' } }
  const withBoth = { user: { id: 'FR.1', otherIds: ['336'], phone: '+336' } }
  const withoutNumber = { user: { id: 'FR.1' } }
  const remembering = wholeDefinition({
    ...atOnce,
    variables: [{ name: 'Name', scope: 'contact' }],
    blocks: [
      { id: 'b1', text: 'Hello {{Name}}' },
      { id: 'i1', type: 'text input', options: { variableId: 'vName' } },
    ],
  })

  it('goes on with their conversation, and is sent to by the new name', async () => {
    const world = await openChannelWorld([askingName])
    await world.say('hi', withNumber)
    expect(await world.say('Ada', withBoth)).toEqual(['Hi Ada'])
    expect(await world.say('bye', withoutNumber)).toEqual([])
    expect(await world.say('hi', withoutNumber)).toEqual(['Hello, who are you?'])
    const contactKey = world.keyOf('336')
    const sessions = new Set(
      (await world.contacts.links(contactKey, { limit: 9 })).map(({ sessionId }) => sessionId),
    )
    expect(sessions.size).toBe(2)
    const [latest] = await world.contacts.links(contactKey, { limit: 1 })
    expect((await world.conversations.look(latest?.sessionId ?? ''))?.session.channel?.to).toBe('FR.1')
  })

  it('is told by the messenger alone, and reached by the new name from then on', async () => {
    const world = await openChannelWorld([askingName])
    await world.say('hi', withNumber)
    expect(await world.do({ kind: 'renamed' }, { user: { id: '337', otherIds: ['336'] } })).toEqual([])
    const [{ sessionId = '' } = {}] = await world.contacts.links(world.keyOf('336'), { limit: 1 })
    expect((await world.conversations.look(sessionId))?.session.channel?.to).toBe('337')
    expect(await world.say('Ada', { user: { id: '337' } })).toEqual(['Hi Ada'])
  })

  it('is remembered, and erased as a whole by either name', async () => {
    const world = await openChannelWorld([remembering])
    await world.say('hi', withNumber)
    await world.say('Ada', withNumber)
    expect(await world.say('again', withBoth)).toEqual(['Hello Ada'])
    const contacts = createContacts(world.erasing)
    expect(await contacts.get({ contactId: 'telegram:desk:FR.1', limit: 1 })).toMatchObject({
      id: 'telegram:desk:336',
    })
    await contacts.delete({ contactId: 'telegram:desk:FR.1', actor: 'ops' })
    for (const user of ['336', 'FR.1'])
      expect((await world.contacts.find(world.keyOf(user))).contact).toBeUndefined()
    world.ports.advance(1)
    expect(await world.say('hi', withoutNumber)).toEqual(['Hello'])
  })
})

describe('choices', () => {
  it('takes presses of the question that is asked, and their titles', async () => {
    const world = await openChannelWorld([choosing])
    expect(await world.say('hi')).toEqual([colours])
    expect(await world.do(press(button(1, 1)))).toEqual([
      { text: 'Blue. And how many?', buttons: [['One', button(2, 0)]] },
    ])
    expect(await world.do(press(button(2, 0)))).toEqual(['Done'])
  })

  it('tells a press of an earlier question apart, and asks again', async () => {
    const world = await openChannelWorld([choosing])
    await world.say('hi')
    await world.do(press(button(1, 0)))
    expect(await world.do(press(button(1, 1)))).toEqual([
      'That choice belongs to an earlier question.',
      { text: 'Red. And how many?', buttons: [['One', button(2, 0)]] },
    ])
    expect(await world.do(press(button(2, 0)))).toEqual(['Done'])
  })

  it('tells a press of an earlier conversation apart', async () => {
    const world = await openChannelWorld([choosing])
    await world.say('hi')
    await world.say('start over')
    expect(await world.do(press(button(1, 1)))).toMatchObject([
      'That choice belongs to an earlier question.',
      { text: 'Which colour?' },
    ])
  })

  it('takes a press of a question that was asked again since', async () => {
    const world = await openChannelWorld([choosing])
    await world.say('hi')
    const [again] = (await world.say('green')) as { buttons: unknown }[]
    expect(JSON.stringify(again)).toContain(button(1, 1))
    expect(await world.do(press(button(1, 1)))).toEqual([
      { text: 'Blue. And how many?', buttons: [['One', button(3, 0)]] },
    ])
  })

  it('takes the number of an option that is numbered', async () => {
    const numbered = structuredClone(choosing) as { groups: { blocks: Json[] }[] }
    const input = numbered.groups[0]?.blocks[1] as { options: Json }
    input.options = { ...(input.options as object), isMultipleChoice: true } as Json
    const world = await openChannelWorld([numbered as unknown as Json])
    await world.say('hi')
    expect(await world.say('1, 2')).toMatchObject([{ text: 'Red, Blue. And how many?' }])
  })

  it('begins anew where a button of a conversation is pressed that has ended', async () => {
    const world = await openChannelWorld([choosing])
    await world.say('hi')
    await world.do(press(button(1, 0)))
    await world.do(press(button(2, 0)))
    expect(await world.do(press(button(1, 0)))).toMatchObject([{ text: 'Which colour?' }])
  })

  it('takes two taps on a button for one, unless the second comes later', async () => {
    const world = await openChannelWorld([choosing])
    await world.say('hi')
    await world.do(press(button(1, 0)))
    expect(await world.do(press(button(1, 0)))).toEqual([])
    expect(await world.do(press(button(2, 0)))).toEqual(['Done'])
    expect(await world.do(press(button(2, 0)))).toEqual([])
    world.ports.advance(6000)
    expect(await world.do(press(button(2, 0)))).toMatchObject([{ text: 'Which colour?' }])
  })

  it('acknowledges presses', async () => {
    const world = await openChannelWorld([choosing])
    await world.say('hi')
    await world.do(press(button(1, 1)), { acknowledge: 'q1' })
    expect(world.shown).toContain('acknowledged q1')
  })
})

describe('words', () => {
  it('begins anew by words, and closes what was open', async () => {
    const world = await openChannelWorld([askingName], { settings: { startOverWords: ['Menu'] } })
    await world.say('hi')
    const [link] = await world.contacts.links(world.key, { limit: 1 })
    expect(await world.say(' MENU ')).toEqual(['Hello, who are you?'])
    const before = await world.conversations.look(link?.sessionId ?? '')
    expect(before?.session.state).toBe('ended')
  })

  it('chooses flows by first words and by ads', async () => {
    const other = wholeDefinition({
      ...atOnce,
      id: 'other',
      publicId: 'other',
      blocks: [{ id: 'b', text: 'Order' }],
    })
    const flows = [{ flow: 'other', words: ['order'], adIds: ['ad-1'] }]
    const world = await openChannelWorld([askingName, other], { settings: { flows } })
    expect(await world.say('Order')).toEqual(['Order'])
    expect(await world.say('hi')).toEqual(['Hello, who are you?'])
    expect(await world.say('order')).toEqual(['Hi order'])
    expect(await world.say('I saw this', { referral: { sourceId: 'ad-1' } })).toEqual(['Order'])
  })

  it('sends nothing more to whoever refuses it, until they take it back', async () => {
    const world = await openChannelWorld([askingName])
    await world.say('hi')
    expect(await world.say('Stop')).toEqual([
      'You will get no more messages here. Reply START to get them again.',
    ])
    expect(await world.say('are you there?')).toEqual([])
    expect(await world.say('START')).toEqual(['You will get messages here again. Write to begin.'])
    const { contact } = await world.contacts.find(world.key)
    expect(JSON.parse(contact?.profile ?? '')).toEqual({ id: 'telegram:desk:4711', name: 'Ada' })
    expect(await world.say('hi')).toEqual(['Hello, who are you?'])
  })

  it('sends nothing to whoever refuses messages that still wait', async () => {
    const world = await openChannelWorld([askingName], {
      deeds: {
        send: async () => ({
          state: 'failed',
          problem: { kind: 'wait', message: 'busy', retryAfterMs: 60_000 },
        }),
      },
    })
    await world.say('hi')
    await world.say('stop')
    world.ports.advance(70_000)
    await world.settle()
    const deliveries = await world.outbox.list(world.channel.destination, { limit: 9 })
    expect(deliveries.map(({ state, error }) => [state, error])).toContainEqual([
      'set aside',
      'The person wants no more messages',
    ])
  })

  it('answers with a text outside of its hours', async () => {
    // 2026-11-21 is a Saturday.
    const open = [{ days: ['monday' as const], from: '09:00', to: '17:00' }]
    const hours = { timeZone: 'Europe/Paris', open, text: 'We are closed.' }
    const world = await openChannelWorld([askingName], { settings: { hours } })
    expect(await world.say('hi')).toEqual(['We are closed.'])
    expect(await world.say('hello?')).toEqual(['We are closed.'])
    world.ports.advance(2 * 24 * 3_600_000)
    expect(await world.say('hi')).toEqual(['Hello, who are you?'])
    world.ports.advance(12 * 3_600_000)
    expect(await world.say('Ada')).toEqual(['We are closed.'])
    world.ports.advance(6.5 * 24 * 3_600_000)
  })
})

it('takes a location as a text', async () => {
  const world = await openChannelWorld([askingName])
  await world.say('hi')
  expect(await world.do({ kind: 'location', latitude: 48.85, longitude: 2.35 })).toEqual(['Hi 48.85, 2.35'])
})

it('takes a command that the flow does not know as a text', async () => {
  const world = await openChannelWorld([askingName])
  await world.say('hi')
  expect(await world.do({ kind: 'command', command: 'ada', text: '/ada' })).toEqual(['Hi /ada'])
})

it('says in the words of the flow that it is closed', async () => {
  const closed = {
    ...askingName,
    isClosed: true,
    settings: { general: { systemMessages: { botClosed: 'Gone' } } },
  }
  const world = await openChannelWorld([closed])
  expect(await world.say('hi')).toEqual(['Gone'])
})

it('sets a message aside whose flow is not there', async () => {
  const world = await openChannelWorld([askingName], { settings: { flow: 'nowhere' } })
  expect(await world.say('hi')).toEqual([])
  expect(await world.refusals()).toEqual(['Flow not found'])
})

it('waits for what passes', async () => {
  const world = await openChannelWorld([askingName])
  const { enterStart } = world.conversations
  world.chat.conversations.enterStart = async () => {
    throw new ServiceError('SERVICE_UNAVAILABLE', 'Too busy')
  }
  expect(await world.say('hi')).toEqual([])
  world.chat.conversations.enterStart = enterStart.bind(world.conversations)
  world.ports.advance(1000)
  expect(await world.sent()).toEqual(['Hello, who are you?'])
})

it('has the layer wait where the flow does, and then go on by itself', async () => {
  const waiting = wholeDefinition({
    ...atOnce,
    blocks: [
      { id: 'b1', text: 'One moment' },
      { id: 'w', type: 'Wait', options: { secondsToWaitFor: '5', shouldPause: true } },
      { id: 'b2', text: 'Here I am' },
      { id: 'w2', type: 'Wait', options: { secondsToWaitFor: '3' } },
      { id: 'b3', text: 'Still here' },
    ],
  })
  const world = await openChannelWorld([waiting])
  expect(await world.say('hi')).toEqual(['One moment'])
  world.ports.advance(4900)
  expect(await world.sent()).toEqual([])
  world.ports.advance(200)
  expect(await world.sent()).toEqual(['Here I am'])
  world.ports.advance(2900)
  expect(await world.sent()).toEqual([])
  world.ports.advance(200)
  expect(await world.sent()).toEqual(['Still here'])
})

it('has bubbles wait as if somebody typed them', async () => {
  const typing = wholeDefinition({
    settings: { typingEmulation: { enabled: true, speed: 60, maxDelay: 2 } },
    blocks: [
      { id: 'b1', text: 'One' },
      { id: 'b2', text: 'Two words' },
    ],
  })
  const world = await openChannelWorld([typing])
  expect(await world.say('hi')).toEqual(['One'])
  expect(world.shown).toEqual(['typing'])
  world.ports.advance(2000)
  expect(await world.sent()).toEqual(['Two words'])
})

it('has a person take over, and say what they like', async () => {
  const world = await openChannelWorld([askingName])
  await world.say('hi')
  const [link] = await world.contacts.links(world.key, { limit: 1 })
  const request = { sessionId: link?.sessionId ?? '', caller: { kind: 'admin', name: 'desk' } } as const
  await changeSession({ ...request, body: { status: 'paused' } }, world.chat)
  expect(await world.say('help')).toEqual([])
  await sayAsPerson({ ...request, body: { text: 'How can I help?' } }, world.chat)
  expect(await world.sent()).toEqual(['How can I help?'])
  await changeSession({ ...request, body: { status: 'open' } }, world.chat)
  await world.sent()
  expect(await world.say('Ada')).toEqual(['Hi Ada'])
})

describe('files', () => {
  const sending = wholeDefinition({
    ...atOnce,
    variables: ['Files', 'Voice'],
    blocks: [
      { id: 'b1', text: 'Your picture?' },
      { id: 'i1', type: 'file input', options: { variableId: 'vFiles' } },
      { id: 'b2', text: 'Got {{Files}}. And what happened?' },
      {
        id: 'i2',
        type: 'text input',
        options: { audioClip: { isEnabled: true, saveVariableId: 'vVoice' }, variableId: 'vVoice' },
      },
      { id: 'b3', text: 'Heard {{Voice}}' },
    ],
  })
  const picture = { kind: 'media', media: { id: 'f1', type: 'image/png' }, caption: 'Here' } as const

  /** A world whose uploads are kept by this test, and what was kept. */
  async function open(deeds: Partial<Messenger> = {}) {
    const { kept, uploads, deeds: usual } = openChannelUploads()
    const world = await openChannelWorld([sending], { uploads, deeds: { ...usual, ...deeds } })
    await world.say('hi')
    return { ...world, kept, do: world.do.bind(world), say: world.say.bind(world) }
  }

  it('become uploads, and voice is voice', async () => {
    const world = await open()
    expect(await world.do(picture)).toEqual(['Got https://flows.example/uploads/0. And what happened?'])
    const voice = { kind: 'media', media: { id: 'f2', type: 'audio/ogg' }, isVoice: true } as const
    expect(await world.do(voice)).toEqual(['Heard https://flows.example/uploads/1'])
    expect(world.kept).toEqual(['t0ken: bytes of f1', 't0ken: bytes of f2'])
  })

  it('are told to be none that the input takes, and it asks again', async () => {
    const world = await open()
    const page = { kind: 'media', media: { id: 'f1', type: 'text/html' } } as const
    expect(await world.do(page)).toEqual(['That can’t be taken as an answer here.', 'Your picture?'])
    expect(await world.do(picture)).toEqual(['Got https://flows.example/uploads/0. And what happened?'])
  })

  it('that have expired are told to be none, and others are fetched again', async () => {
    const expired = await open({ download: () => Promise.reject(new MediaGoneError('It has expired')) })
    expect(await expired.do(picture)).toEqual(['That can’t be taken as an answer here.', 'Your picture?'])
    let tries = 0
    const { download } = (await open()).channel.account.messenger
    const away = await open({
      download: (...asked) => (tries++ === 0 ? Promise.reject(new Error('503')) : download(...asked)),
    })
    expect(await away.do(picture)).toEqual([])
    away.ports.advance(1000)
    expect(await away.sent()).toEqual(['Got https://flows.example/uploads/0. And what happened?'])
  })

  it('wait for a messenger that is away, which is no error of the service, and are set aside after half an hour', async () => {
    const away = await open({ download: () => Promise.reject(new MessengerAwayError('503')) })
    expect(await away.do(picture)).toEqual([])
    const stateOf = async () => (await away.inbox.list(away.channel.inbox, { limit: 1 }))[0]?.state
    for (let minute = 0; minute < 25; minute++) {
      away.ports.advance(60_000)
      await away.settle()
    }
    expect(await stateOf()).toBe('waiting')
    for (let minute = 0; minute < 15; minute++) {
      away.ports.advance(60_000)
      await away.settle()
    }
    expect([await stateOf(), away.chat.reports, away.chat.warnings.length]).toEqual(['set aside', [], 35])
  })

  it('say what stands below them where the input takes none', async () => {
    const world = await openChannelWorld([askingName])
    await world.say('hi')
    expect(await world.do(picture)).toEqual(['Hi Here'])
  })
})

describe('what only a page does', () => {
  const paying = wholeDefinition({
    ...atOnce,
    publicId: 'shop',
    blocks: [
      { id: 'b1', text: 'Have a look' },
      { id: 'e', type: 'embed', content: { url: 'https://maps.example', waitForEvent: { isEnabled: true } } },
      { id: 'b2', text: 'Thank you' },
    ],
  })

  it('becomes a link to the page of the conversation, whose turns are told here', async () => {
    const world = await openChannelWorld([paying])
    const [first, link] = (await world.say('hi')) as [string, string]
    expect(first).toBe('Have a look')
    expect(JSON.stringify(link)).toContain('Continue in new tab')
    const [{ sessionId = '' } = {}] = await world.contacts.links(world.key, { limit: 1 })
    await continueChat(
      { sessionId, origin: undefined, caller: { kind: 'anonymous' }, body: { message: 'done' } },
      world.chat,
    )
    expect(await world.sent()).toEqual(['Thank you'])
  })
})

it('tells flows the messenger, the person and the ad', async () => {
  const types = [
    'Environment name',
    'Contact name',
    'Phone number',
    'Referral Source ID',
    'Referral Click ID',
  ]
  const world = await openChannelWorld([
    wholeDefinition({
      ...atOnce,
      variables: types.map((_, index) => `V${index}`),
      blocks: [
        ...types.map((type, index) => ({
          id: `s${index}`,
          type: 'Set variable',
          options: { type, variableId: `vV${index}` },
        })),
        { id: 'b', text: types.map((_, index) => `{{V${index}}}`).join(', ') },
      ],
    }),
  ])
  const user = { id: '336', name: 'Ada', phone: '+336' }
  const referral = { sourceId: 'ad', clickId: 'click' }
  expect(await world.say('hi', { user, referral })).toEqual(['telegram, Ada, +336, ad, click'])
})

it('reminds by itself of a question that stays unanswered, and its buttons still count', async () => {
  const reminding = structuredClone(choosing) as unknown as { events: Json[]; edges: Json[]; groups: Json[] }
  reminding.events = [
    ...(reminding.events ?? []),
    { id: 'idle', type: 'idle', outgoingEdgeId: 'toReminder', options: { after: 'PT30M' } },
  ]
  reminding.edges = [
    ...(reminding.edges ?? []),
    { id: 'toReminder', from: { eventId: 'idle' }, to: { groupId: 'reminder' } },
  ]
  reminding.groups = [
    ...reminding.groups,
    {
      id: 'reminder',
      title: 'Reminder',
      graphCoordinates: { x: 0, y: 0 },
      blocks: [
        {
          id: 'r1',
          type: 'text',
          content: { richText: [{ type: 'p', children: [{ text: 'Are you there?' }] }] },
        },
      ],
    },
  ]
  const world = await openChannelWorld([reminding as unknown as Json])
  await world.say('hi')
  world.ports.advance(31 * 60_000)
  const [due] = await world.conversations.due(1)
  await fireTimer(due!, world.chat)
  const [reminder] = (await world.sent()) as { text: string }[]
  expect(reminder?.text ?? reminder).toContain('Are you there?')
  expect(await world.do(press(button(1, 1)))).toMatchObject([{ text: 'Blue. And how many?' }])
})

it('goes on by itself when a webhook that the flow listens to is called', async () => {
  const listening = wholeDefinition({
    ...atOnce,
    blocks: [
      { id: 'b1', text: 'Paying…' },
      { id: 'w', type: 'webhook' },
      { id: 'b2', text: 'Paid' },
    ],
  })
  const world = await openChannelWorld([listening])
  expect(await world.say('hi')).toEqual(['Paying…'])
  const [{ sessionId = '' } = {}] = await world.contacts.links(world.key, { limit: 1 })
  await world.conversations.receiveWebhook({ id: sessionId, revision: 1, text: '{}' })
  await resumeOnWebhook(world, world.chat.log)({ sessionId, resultId: '' })
  expect(await world.sent()).toEqual(['Paid'])
})
