import { describe, expect, it } from 'vitest'
import { bubble, setVariable, textInput, variable } from '../../fixtures/short-flows.ts'
import { createWatchedChat, startLive, untouchableWorld } from '../../fixtures/starting.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import type { Json } from '../../support/json.ts'
import { createTestChat } from '../../support/start.ts'

/** Draws a number, makes an id and asks for the time, whenever it runs. */
const busyFlow: Json = {
  blocks: [
    {
      id: 'ab',
      type: 'AB test',
      items: [
        { id: 'a', path: 'a' },
        { id: 'b', path: 'b' },
      ],
    },
    setVariable('b1', 'vId', { type: 'Random ID' }),
    setVariable('b2', 'vNow', { type: 'Now' }),
    bubble('b3'),
    textInput('b4'),
  ],
  variables: [variable('Id'), variable('Now')],
}

const allowing = (...allowedOrigins: string[]) => ({ security: { allowedOrigins } })
const closing = (botClosed?: string) => ({
  general: { systemMessages: botClosed === undefined ? {} : { botClosed } },
})

const notFound = { name: 'ServiceError', code: 'NOT_FOUND', message: 'Flow not found' }
const closed = { name: 'ServiceError', code: 'BAD_REQUEST', message: 'This bot is now closed' }
const foreign = { name: 'ServiceError', code: 'FORBIDDEN', message: 'Origin not allowed' }

/** Starts in a world that nothing may touch. */
function startUntouched(flow: Json, origin?: string, body: Json = {}): Promise<Json> {
  const chat = createTestChat([wholeDefinition({ ...busyFlow, ...flow })], untouchableWorld())
  return startLive(chat, body, origin === undefined ? {} : { origin })
}

describe('a public start that is refused', () => {
  it.each<[string, Json, string | undefined, object]>([
    ['that is archived', { isArchived: true }, undefined, notFound],
    ['that is closed', { isClosed: true }, undefined, closed],
    [
      'that is closed, in its own words',
      { isClosed: true, settings: closing('Back at 9') },
      undefined,
      { ...closed, message: 'Back at 9' },
    ],
    [
      'that is closed, without looking into its words',
      { isClosed: true, settings: closing('{{Id}}') },
      undefined,
      { ...closed, message: '{{Id}}' },
    ],
    [
      'asked from a foreign origin',
      { settings: allowing('https://a.example') },
      'https://b.example',
      foreign,
    ],
    [
      'that is archived, closed and elsewhere',
      { isArchived: true, isClosed: true, settings: allowing('https://a.example') },
      'https://b.example',
      notFound,
    ],
    [
      'that is closed and elsewhere',
      { isClosed: true, settings: allowing('https://a.example') },
      'https://b.example',
      closed,
    ],
  ])('runs nothing of a flow %s', async (_name, flow, origin, refusal) => {
    await expect(startUntouched(flow, origin)).rejects.toMatchObject(refusal)
    const body = { isOnlyRegistering: true, resultId: 'earlier', message: 'Hi' }
    await expect(startUntouched(flow, origin, body)).rejects.toMatchObject(refusal)
  })

  it('would have been noticed if it had run', async () => {
    await expect(startUntouched({})).rejects.toThrow(/^ports\.\w+ was called$/)
    await expect(startUntouched({}, undefined, { isOnlyRegistering: true })).rejects.toThrow('was called')
  })

  it('knows no flow by an id that nothing is published as', async () => {
    const chat = createTestChat([wholeDefinition({ ...busyFlow, publicId: 'welcome' })], untouchableWorld())
    for (const publicId of ['', 'Welcome', 'flow-1', 'welcome ', 'constructor', '__proto__']) {
      await expect(startLive(chat, {}, { publicId })).rejects.toMatchObject(notFound)
    }
  })

  it('leaves no problems to point at', async () => {
    await expect(startUntouched({ isClosed: true })).rejects.toMatchObject({ problems: undefined })
  })
})

describe('the origin of a public start', () => {
  const startFrom = (origin: string | undefined, settings: Json) => {
    const chat = createTestChat([wholeDefinition({ blocks: [bubble('b1')], settings })])
    return startLive(chat, {}, origin === undefined ? {} : { origin })
  }

  it.each<[string, string | undefined, Json]>([
    ['none, whatever is allowed', undefined, allowing('https://a.example')],
    ['any, where nothing is said', 'https://b.example', {}],
    ['any, where security says nothing', 'https://b.example', { security: {} }],
    ['any, where the list is empty', 'https://b.example', allowing()],
    ['one of the list', 'https://b.example', allowing('https://a.example', 'https://b.example')],
    ['null, where it is listed', 'null', allowing('null')],
  ])('may be %s', async (_name, origin, settings) => {
    expect((await startFrom(origin, settings))['messages']).toHaveLength(1)
  })

  it.each([
    'http://a.example',
    'https://a.example/',
    'https://a.example:443',
    'https://A.example',
    'https://www.a.example',
    'https://a.example.evil.example',
    'null',
    '',
  ])('is compared exactly: "%s" is not "https://a.example"', async (origin) => {
    await expect(startFrom(origin, allowing('https://a.example'))).rejects.toMatchObject(foreign)
  })

  it('is not filled in from variables', async () => {
    const settings = allowing('{{Shop}}')
    const flow = {
      blocks: [bubble('b1')],
      settings,
      variables: [variable('Shop', { value: 'https://a.example' })],
    }
    const chat = createTestChat([wholeDefinition(flow)])
    const start = startLive(chat, {}, { origin: 'https://a.example' })
    await expect(start).rejects.toMatchObject(foreign)
  })
})

describe('a public start', () => {
  it('has a session and a result of its own each time', async () => {
    const chat = createTestChat([wholeDefinition(busyFlow)])
    expect(await startLive(chat)).toMatchObject({ sessionId: 'session-1', resultId: 'result-1' })
    expect(await startLive(chat)).toMatchObject({ sessionId: 'session-2', resultId: 'result-2' })
  })

  it('keeps no definition: the publication does', async () => {
    const chat = createWatchedChat([wholeDefinition(busyFlow)])
    await startLive(chat)
    expect(chat.savedDefinitions).toEqual([])
  })

  it('follows links to flows that are closed to visitors of their own', async () => {
    const linked = wholeDefinition({ id: 'other', isClosed: true, blocks: [bubble('o1')] })
    const blocks = [{ id: 'b1', type: 'Flow link', options: { flowId: 'other' } }]
    const response = await startLive(createTestChat([wholeDefinition({ blocks }), linked]))
    expect(response['messages']).toMatchObject([{ id: 'o1' }])
  })
})
