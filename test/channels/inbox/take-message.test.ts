import { describe, expect, it } from 'vitest'
import { createContacts } from '../../../src/contacts/contacts-service.ts'
import { changeSession, sayAsPerson } from '../../../src/conversations/take-over/act-on-session.ts'
import { ServiceError } from '../../../src/lib/errors.ts'
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

const colours = {
  text: 'Which colour?',
  buttons: [
    ['Red', 'r:1:0'],
    ['Blue', 'r:1:1'],
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

it('takes messages of one person in their order', async () => {
  const world = await openChannelWorld([askingName])
  await world.receive(
    world.messageOf({ kind: 'text', text: 'hi' }),
    world.messageOf({ kind: 'text', text: 'Ada' }),
  )
  expect(await world.sent()).toEqual(['Hello, who are you?', 'Hi Ada'])
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
    expect(await world.do(press('r:1:1'))).toEqual([
      { text: 'Blue. And how many?', buttons: [['One', 'r:2:0']] },
    ])
    expect(await world.do(press('r:2:0'))).toEqual(['Done'])
  })

  it('tells a press of an earlier question apart, and asks again', async () => {
    const world = await openChannelWorld([choosing])
    await world.say('hi')
    await world.do(press('r:1:0'))
    expect(await world.do(press('r:1:1'))).toEqual([
      { text: 'That choice belongs to an earlier question.', buttons: [['One', 'r:2:0']] },
    ])
    expect(await world.do(press('r:2:0'))).toEqual(['Done'])
  })

  it('takes a press of a question that was asked again since', async () => {
    const world = await openChannelWorld([choosing])
    await world.say('hi')
    const [again] = (await world.say('green')) as { buttons: unknown }[]
    expect(JSON.stringify(again)).toContain('r:1:1')
    expect(await world.do(press('r:1:1'))).toEqual([
      { text: 'Blue. And how many?', buttons: [['One', 'r:3:0']] },
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
    await world.do(press('r:1:0'))
    await world.do(press('r:2:0'))
    expect(await world.do(press('r:1:0'))).toEqual([colours])
  })

  it('acknowledges presses', async () => {
    const world = await openChannelWorld([choosing])
    await world.say('hi')
    await world.do(press('r:1:1'), { acknowledge: 'q1' })
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
