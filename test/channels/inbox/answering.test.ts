import { describe, expect, it } from 'vitest'
import { continueChat } from '../../../src/conversations/continue/continue-chat.ts'
import { getSession } from '../../../src/conversations/get-session/get-session.ts'
import { changeSession } from '../../../src/conversations/take-over/act-on-session.ts'
import { readJson } from '../../../src/lib/byte-string.ts'
import { openChannelUploads } from '../../support/channel-uploads.ts'
import { openChannelWorld } from '../../support/channel-world.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import type { Json } from '../../support/json.ts'

const flow = (blocks: Json[], variables: string[] = []) =>
  wholeDefinition({ settings: { typingEmulation: { enabled: false } }, variables, blocks, publicId: 'flow' })

const notTaken = 'That can’t be taken as an answer here.'
const stale = 'That choice belongs to an earlier question.'

const picture = (id: string, caption?: string) =>
  ({ kind: 'media', media: { id, type: 'image/png' }, ...(caption && { caption }) }) as const
const voice = { kind: 'media', media: { id: 'v', type: 'audio/ogg' }, isVoice: true } as const

type World = Awaited<ReturnType<typeof openChannelWorld>>

const sessionOf = async ({ contacts, key }: World) => {
  const [link] = await contacts.links(key, { limit: 1 })
  return link?.sessionId ?? ''
}
const operator = { kind: 'admin', name: 'desk' } as const

describe('a machine says that it is one', () => {
  const greeting = (general: Json) =>
    wholeDefinition({
      settings: { general, typingEmulation: { enabled: false } },
      blocks: [
        { id: 'b1', text: 'Your name?' },
        { id: 'i1', type: 'text input' },
        { id: 'b2', text: 'And your town?' },
        { id: 'i2', type: 'text input' },
      ],
      publicId: 'flow',
    })

  it.each([
    [{}, 'You are chatting with an AI.'],
    [{ language: 'de-AT' }, 'Sie schreiben mit einer KI.'],
    [{ language: 'sv' }, 'You are chatting with an AI.'],
    [{ language: 'de', words: { aiDisclosure: 'Ich bin eine Maschine.' } }, 'Ich bin eine Maschine.'],
  ])('once, before all else, by %j', async (general, sentence) => {
    const world = await openChannelWorld([greeting({ ...general, aiDisclosure: true })])
    expect(await world.say('hi')).toEqual([sentence, 'Your name?'])
    expect(await world.say('Ada')).toEqual(['And your town?'])
  })

  it('in each conversation, and in none of a flow that does not want it', async () => {
    const world = await openChannelWorld([greeting({ aiDisclosure: true })])
    for (let round = 0; round < 2; round++) {
      expect((await world.say('hi'))[0]).toBe('You are chatting with an AI.')
      for (const words of ['Ada', 'Paris']) await world.say(words)
    }
    const silent = await openChannelWorld([greeting({ aiDisclosure: false })])
    expect(await silent.say('hi')).toEqual(['Your name?'])
  })
})

describe('a question is asked again with the words that it stands in', () => {
  it('behind a press that belongs to an earlier one, and once it was asked again', async () => {
    const world = await openChannelWorld([
      flow([
        { id: 'b1', text: 'Which colour?' },
        { id: 'i1', type: 'choice input', items: [{ id: 'red', content: 'Red' }] },
        { id: 'b2', text: 'Thank you.' },
        { id: 'b3', text: 'Your e-mail?' },
        { id: 'i2', type: 'email input' },
      ]),
    ])
    const [asked] = (await world.say('hi')) as [{ buttons: [string, string][] }]
    const id = asked.buttons[0]?.[1] ?? ''
    await world.do({ kind: 'press', id })
    world.ports.advance(10_000)
    expect(await world.do({ kind: 'press', id })).toEqual([stale, 'Thank you.', 'Your e-mail?'])
    expect(await world.say('nowhere')).toHaveLength(1)
    expect(await world.do({ kind: 'press', id })).toEqual([stale, 'Thank you.', 'Your e-mail?'])
  })

  it('behind what is no answer', async () => {
    const world = await openChannelWorld([
      flow([
        { id: 'b1', text: 'Your name?' },
        { id: 'i1', type: 'text input' },
      ]),
    ])
    await world.say('hi')
    expect(await world.do(picture('p'))).toEqual([notTaken, 'Your name?'])
  })
})

describe('while the page is to send something back', () => {
  const scripted = flow(
    [
      { id: 'b1', text: 'One moment' },
      {
        id: 's',
        type: 'Set variable',
        options: {
          variableId: 'vPlace',
          type: 'Custom',
          isExecutedOnClient: true,
          isCode: true,
          expressionToEvaluate: 'return location.host',
        },
      },
      { id: 'b2', text: 'You are at {{Place}}' },
    ],
    ['Place'],
  )

  it.each([
    ['a text', { kind: 'text', text: 'hello?' }],
    ['a place', { kind: 'location', latitude: 1, longitude: 2 }],
    ['a picture', picture('p', 'look')],
    ['a command that the flow does not know', { kind: 'command', command: 'x', text: '/x' }],
  ] as const)('is not taken for that: %s', async (_, content) => {
    const world = await openChannelWorld([scripted])
    expect(await world.say('hi')).toHaveLength(2)
    const [told, link] = await world.do(content)
    expect(told).toBe(notTaken)
    expect(JSON.stringify(link)).toContain('Continue in new tab')
    const sessionId = await sessionOf(world)
    const page = { sessionId, origin: undefined, caller: { kind: 'anonymous' } } as const
    await continueChat({ ...page, body: { message: 'the page' } }, world.chat)
    expect(await world.sent()).toEqual(['You are at the page'])
  })

  it('a person who leads the conversation is told words all the same', async () => {
    const world = await openChannelWorld([scripted])
    await world.say('hi')
    const sessionId = await sessionOf(world)
    await changeSession({ sessionId, caller: operator, body: { status: 'paused' } }, world.chat)
    expect(await world.say('hello?')).toEqual([])
    await changeSession({ sessionId, caller: operator, body: { status: 'open' } }, world.chat)
    await world.sent()
    const [told] = await world.say('hello?')
    expect(told).toBe(notTaken)
  })
})

it('says why a conversation ends in which no payment can be asked for', async () => {
  const world = await openChannelWorld([
    flow([
      { id: 'b1', text: 'Five pounds, please' },
      { id: 'p', type: 'payment input', options: { credentialsId: 'nobody', amount: '5', currency: 'GBP' } },
    ]),
  ])
  expect(await world.say('hi')).toEqual(['Five pounds, please', 'This can’t be paid at present.'])
})

describe('files that are sent while a person leads the conversation', () => {
  async function open() {
    const files = openChannelUploads()
    const world = await openChannelWorld(
      [
        flow([
          { id: 'b1', text: 'Your name?' },
          { id: 'i1', type: 'text input' },
        ]),
      ],
      files,
    )
    await world.say('hi')
    const sessionId = await sessionOf(world)
    await changeSession({ sessionId, caller: operator, body: { status: 'paused' } }, world.chat)
    const heard = async () => (await world.conversations.look(sessionId))?.session.said?.at(-1)?.reply
    return {
      ...world,
      sent: world.sent.bind(world),
      do: world.do.bind(world),
      kept: files.kept,
      heard,
      sessionId,
    }
  }

  it('are kept, and told with their words', async () => {
    const world = await open()
    expect(await world.do(picture('p', 'Look'))).toEqual([])
    expect(await world.heard()).toEqual({
      type: 'text',
      text: 'Look',
      attachedFileUrls: ['https://flows.example/uploads/0'],
    })
    expect(await world.do(voice)).toEqual([])
    expect(await world.heard()).toMatchObject({ attachedFileUrls: ['https://flows.example/uploads/1'] })
    expect(world.kept).toEqual(['t0ken: bytes of p', 't0ken: bytes of v'])
  })

  it('are told to be none where they can’t be kept, and their words are heard', async () => {
    const world = await open()
    expect(await world.do({ ...picture('p'), media: { id: 'p', type: 'text/html' } })).toEqual([notTaken])
    await world.do({ ...picture('p', 'Look'), media: { id: 'p', type: 'text/html' } })
    expect(await world.heard()).toMatchObject({ text: 'Look' })
  })

  it('leave the buttons of the question that waits as they are', async () => {
    const world = await open()
    await world.do({ ...picture('p'), media: { id: 'p', type: 'text/html' } })
    const { asked } = (await world.conversations.look(world.sessionId))?.session.channel ?? {}
    await changeSession(
      { sessionId: world.sessionId, caller: operator, body: { status: 'open' } },
      world.chat,
    )
    const after = (await world.conversations.look(world.sessionId))?.session.channel?.asked
    expect(after).toEqual(asked)
  })
})

describe('files that are chosen at once', () => {
  async function open(input: Json) {
    const { uploads, deeds } = openChannelUploads()
    const world = await openChannelWorld(
      [
        flow(
          [
            { id: 'b1', text: 'Your pictures?' },
            { id: 'i1', ...input },
            { id: 'b2', text: 'Got {{Files}}' },
            { id: 'i2', type: 'text input' },
            { id: 'b3', text: 'Bye' },
          ],
          ['Files'],
        ),
      ],
      { uploads, deeds },
    )
    await world.say('hi')
    return world
  }
  const several = { type: 'file input', options: { variableId: 'vFiles', isMultipleAllowed: true } }
  const url = (index: number) => `https://flows.example/uploads/${index}`

  it('are one answer where the input takes several', async () => {
    const world = await open(several)
    expect(await world.do(picture('1'))).toEqual([])
    world.ports.advance(1000)
    expect(await world.do(picture('2'))).toEqual([])
    const message = world.messageOf(picture('3'))
    await world.receive(message, message)
    expect(await world.sent()).toEqual([])
    world.ports.advance(1999)
    expect(await world.sent()).toEqual([])
    world.ports.advance(1)
    expect(await world.sent()).toEqual([`Got ${url(0)}, ${url(1)}, ${url(2)}`])
    expect(await world.say('ok')).toEqual(['Bye'])
  })

  it('are an answer at once where words follow, which answer the next question', async () => {
    const world = await open(several)
    await world.do(picture('1'))
    await world.do(picture('2'))
    await world.say('that is all')
    world.ports.advance(3000)
    expect(await world.sent()).toEqual([`Got ${url(0)}, ${url(1)}`, 'Bye'])
    expect(await world.refusals()).toEqual([])
  })

  it('are attached together, with all that was written below them', async () => {
    const world = await open({
      type: 'text input',
      options: { variableId: 'vFiles', attachments: { isEnabled: true } },
    })
    await world.do(picture('1', 'The front'))
    await world.do(picture('2', 'The back'))
    world.ports.advance(3000)
    expect(await world.sent()).toEqual(['Got The front\nThe back'])
    const { session } = (await world.conversations.look(await sessionOf(world))) ?? {}
    expect(session?.queue[0]?.answers).toEqual([['Files', `${url(0)}, ${url(1)}\n\nThe front\nThe back`]])
  })

  it('are an answer each where the input takes one', async () => {
    const world = await open({ type: 'file input', options: { variableId: 'vFiles' } })
    expect(await world.do(picture('1'))).toEqual([`Got ${url(0)}`])
  })

  it('are for the person who has taken over meanwhile', async () => {
    const world = await open(several)
    await world.do(picture('1'))
    const sessionId = await sessionOf(world)
    await changeSession({ sessionId, caller: operator, body: { status: 'paused' } }, world.chat)
    world.ports.advance(3000)
    expect(await world.sent()).toEqual([])
    const { session } = (await world.conversations.look(sessionId)) ?? {}
    expect(session?.said?.at(-1)?.reply).toMatchObject({ attachedFileUrls: [url(0)] })
    expect(session?.channel?.files).toBeUndefined()
  })

  it('are told to be no answer where the page has answered meanwhile', async () => {
    const world = await open(several)
    await world.do(picture('1'))
    const page = {
      sessionId: await sessionOf(world),
      origin: undefined,
      caller: { kind: 'anonymous' },
    } as const
    await continueChat({ ...page, body: { message: 'https://a.example/f.png' } }, world.chat)
    world.ports.advance(3000)
    const got = 'Got https://a.example/f.png'
    expect(await world.sent()).toEqual([got, notTaken, got])
    expect(readJson(await getSession(page, world.chat))['input']).toMatchObject({ id: 'i2' })
  })
})
