import { describe, expect, it } from 'vitest'
import type { ContinueChatBody } from '../../../schemas/continue-chat.ts'
import type { StartPreviewChatBody } from '../../../schemas/start-chat.ts'
import { anonymous, type Caller } from '../../../src/ports/caller.ts'
import { MemoryResultStore } from '../../../src/stores/memory/results/memory-result-store.ts'
import { bubble, endlessFlow, flowLink, textInput, variable } from '../../fixtures/short-flows.ts'
import { createWatchedChat, startDraft, startLive } from '../../fixtures/starting.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import { fixedPorts } from '../../support/fixed-ports.ts'
import type { Json } from '../../support/json.ts'
import { defaultLimits } from '../../support/limits.ts'
import { createMemoryPublishedFlows } from '../../support/memory-published-flows.ts'
import { nowhere } from '../../support/nowhere.ts'
import { trusted } from '../../support/preview-request.ts'
import { createTestChat, sessionOf, type TestChat } from '../../support/start.ts'
import { parseWire } from '../../support/wire.ts'

const greets = wholeDefinition({
  variables: [variable('Name')],
  blocks: [
    textInput('i1', 'vName'),
    bubble('b1', 'Hi {{Name}}'),
    textInput('i2'),
    bubble('b2', 'Bye {{Name}}'),
  ],
})

async function goOn(
  { chat }: Pick<TestChat, 'chat'>,
  body: Json = {},
  { sessionId = 'session-1', ...asking }: { sessionId?: string; origin?: string; caller?: Caller } = {},
): Promise<Json> {
  return parseWire(
    await chat.continue({
      caller: anonymous,
      sessionId,
      origin: undefined,
      ...asking,
      body: body as ContinueChatBody,
    }),
  )
}

const said = (answer: Json) =>
  (answer['messages'] as { content: { markdown: string } }[]).map(({ content }) => content.markdown)
const say = (message: unknown): Json => ({ message, textBubbleContentFormat: 'markdown' })
const notFound = { code: 'NOT_FOUND', message: 'Session not found.' }

describe('continuing', () => {
  it('goes on where the conversation waits, to its end', async () => {
    const world = createTestChat([greets])
    await startLive(world)
    const second = await goOn(world, say('Ada'))
    expect([said(second), second['input']]).toEqual([['Hi Ada'], { id: 'i2', type: 'text input' }])
    expect(said(await goOn(world, say('x')))).toEqual(['Bye Ada'])
    await expect(goOn(world, say('y'))).rejects.toMatchObject(notFound)
  })

  it('sets variables of a preview before it hands over what is said, and those of nobody else', async () => {
    const world = createTestChat([greets])
    await startDraft(world, { flow: greets })
    await goOn(world, say('Ada'))
    const body = { ...say('x'), setVariables: { Name: 'Bob', Other: 'y' } }
    expect(said(await goOn(world, body))).toEqual(['Bye Bob'])
    await startLive(world)
    const problems = [{ pointer: '/setVariables', message: expect.stringContaining('previews alone') }]
    await expect(goOn(world, body, { sessionId: 'session-2' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      problems,
    })
    const long = { setVariables: { Name: 'x'.repeat(65_537) } }
    await startDraft(world, { flow: greets })
    await expect(goOn(world, long, { sessionId: 'session-3' })).rejects.toMatchObject({
      problems: [{ pointer: '/setVariables/Name' }],
    })
  })

  it('finds no session that has ended, is unknown, or was forgotten', async () => {
    const world = createTestChat([wholeDefinition({ blocks: [bubble('b1')] }), { ...greets, id: 'other' }])
    await startLive(world)
    await expect(goOn(world)).rejects.toMatchObject(notFound)
    await expect(goOn(world, {}, { sessionId: 'nobody' })).rejects.toMatchObject(notFound)
    await startLive(world, {}, { publicId: 'other' })
    await world.conversations.erase('session-2')
    await expect(goOn(world, {}, { sessionId: 'session-2' })).rejects.toMatchObject(notFound)
  })

  it('finds no ended preview either', async () => {
    const world = createTestChat()
    await startDraft(world, { flow: wholeDefinition({ blocks: [bubble('b1')] }), sessionId: 'mine' })
    await expect(goOn(world, {}, { sessionId: 'mine' })).rejects.toMatchObject(notFound)
  })

  it('finds no session whose draft made room for others', async () => {
    const plain = createTestChat()
    const world = createTestChat([], {
      definitions: { ...plain.definitions, get: async () => undefined },
      programs: Object.assign(plain.programs, { known: () => undefined }),
    })
    await startDraft(world, { flow: greets, sessionId: 'mine' })
    await expect(goOn(world, say('Ada'), { sessionId: 'mine' })).rejects.toMatchObject(notFound)
  })

  it('means a live session before a preview of the same id', async () => {
    const world = createTestChat([greets])
    const draft = wholeDefinition({ blocks: [textInput('i1'), bubble('b1', 'draft')] })
    await startDraft(world, { flow: draft, sessionId: 'session-1' })
    await startLive(world)
    expect(said(await goOn(world, say('Ada')))).toEqual(['Hi Ada'])
    await goOn(world, say('x'))
    await expect(goOn(world)).rejects.toMatchObject(notFound)
  })

  it('asks browsers for their origin, and nobody else', async () => {
    const settings = { security: { allowedOrigins: ['https://a.example'] } }
    const world = createTestChat([{ ...greets, settings }])
    await startLive(world)
    await expect(goOn(world, say('Eve'), { origin: 'https://b.example' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: 'Origin not allowed',
    })
    expect(said(await goOn(world, say('Ada'), { origin: 'https://a.example' }))).toEqual(['Hi Ada'])
    expect(said(await goOn(world, say('x')))).toEqual(['Bye Ada'])
  })

  it('asks previews for no origin', async () => {
    const settings = { security: { allowedOrigins: ['https://a.example'] } }
    const world = createTestChat()
    await startDraft(world, { flow: { ...greets, settings }, sessionId: 'mine' })
    const answer = await goOn(world, say('Ada'), { sessionId: 'mine', origin: 'https://b.example' })
    expect(said(answer)).toEqual(['Hi Ada'])
  })

  it('stays on the version that it started with', async () => {
    const world = createTestChat([greets])
    await startLive(world)
    const definition = await world.published.byPublicId('flow-1')
    await world.definitions.put(definition?.program.hash ?? '', JSON.stringify(greets))
    const republished = createTestChat([{ ...greets, groups: [] }])
    const later = createTestChat([], { ...world, published: republished.published })
    expect(said(await goOn(later, say('Ada')))).toEqual(['Hi Ada'])
  })

  it('refuses a message that is too long, with its place, and waits on', async () => {
    const world = createTestChat([greets])
    await startLive(world)
    const long = 'x'.repeat(defaultLimits.replyLength + 1)
    for (const message of [
      long,
      { type: 'text', text: 'x', attachedFileUrls: [long] },
      { type: 'audio', url: long },
      { type: 'command', command: long },
    ]) {
      await expect(goOn(world, { message })).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        problems: [{ pointer: '/message', message: 'must have at most 16384 characters' }],
      })
    }
    expect(said(await goOn(world, say('x'.repeat(defaultLimits.replyLength))))).toHaveLength(1)
  })

  it('leaves the session as it was when it refuses a command', async () => {
    const world = createTestChat([greets])
    await startLive(world)
    const command = { type: 'command', command: 'help' }
    await expect(goOn(world, { message: command })).rejects.toMatchObject({
      message: 'Command event not found',
    })
    expect(said(await goOn(world, say('Ada')))).toEqual(['Hi Ada'])
  })

  it('ends the session when a budget is spent', async () => {
    const loop = wholeDefinition({
      ...endlessFlow,
      groups: [
        { id: 'g0', title: 'Asks', blocks: [{ ...textInput('i'), outgoingEdgeId: 'e2' }] },
        ...(endlessFlow['groups'] as Json[]),
      ],
      edges: [{ id: 'e-start', to: { groupId: 'g0' } }, ...(endlessFlow['edges'] as Json[])],
    })
    const world = createTestChat([loop])
    await startLive(world)
    const { logs } = await goOn(world, say('x'))
    expect(logs).toMatchObject([{ status: 'error' }])
    await expect(goOn(world)).rejects.toMatchObject(notFound)
  })
})

describe('links while a conversation goes on', () => {
  const linking = wholeDefinition({ id: 'draft', blocks: [textInput('i'), flowLink('l', 'other')] })
  const other = wholeDefinition({ id: 'other', blocks: [bubble('b', 'linked')] })
  const start = async (caller?: Caller) => {
    const world = createTestChat([other])
    const body: StartPreviewChatBody = { flow: linking, sessionId: 'mine' }
    await startDraft(world, body, caller && { caller })
    return goOn(world, say('x'), { sessionId: 'mine', ...(caller && { caller }) })
  }

  it('are followed by a preview that was started with the token', async () => {
    expect(said(await start(trusted))).toEqual(['linked'])
  })

  it('are not followed by a stranger’s preview', async () => {
    const { messages, logs } = await start()
    expect([messages, logs]).toMatchObject([[], [{ description: 'Flow link could not be followed' }]])
  })
})

describe('a registered session', () => {
  it('starts with its first continue, whose message is that of a start', async () => {
    const world = createTestChat([greets])
    await startLive(world, { isOnlyRegistering: true, prefilledVariables: { Name: 'Bo' } })
    expect(said(await goOn(world, say('Ada')))).toEqual(['Hi Ada'])
  })

  it('keeps what was prefilled, its progress, and what the client has to load', async () => {
    const flow = wholeDefinition({
      variables: [variable('Name')],
      blocks: [bubble('b', 'Hi {{Name}}'), textInput('i')],
      settings: { metadata: { googleTagManagerId: 'GTM-1' } },
      theme: { general: { progressBar: { isEnabled: true } } },
    })
    const world = createTestChat([flow])
    await startLive(world, { isOnlyRegistering: true, prefilledVariables: { Name: 'Bo' } })
    expect(await goOn(world, say(null))).toMatchObject({
      messages: [{ content: { markdown: 'Hi Bo' } }],
      clientSideActions: [{ type: 'startPropsToInject' }],
      progress: 50,
    })
  })

  it('has a result from its first continue on', async () => {
    const world = createTestChat([greets])
    await startLive(world, { isOnlyRegistering: true })
    expect(await world.results.get('flow-1', 'result-1')).toBeUndefined()
    await goOn(world, say('Ada'))
    expect(await world.results.get('flow-1', 'result-1')).toMatchObject({
      answers: [{ blockId: 'i1', content: 'Ada' }],
    })
  })
})

describe('the result of a conversation', () => {
  it('grows with every turn, and is completed at the end', async () => {
    let now = 1000
    const world = createTestChat([greets], { ports: { ...fixedPorts(), now: () => now } })
    await startLive(world)
    now = 2000
    await goOn(world, say('Ada'))
    const midway = await world.results.get('flow-1', 'result-1')
    expect(midway).toMatchObject({ createdAt: 1000, updatedAt: 2000, hasStarted: true, isCompleted: false })
    await goOn(world, say('x'))
    expect(await world.results.get('flow-1', 'result-1')).toMatchObject({
      isCompleted: true,
      variables: [{ name: 'Name', value: 'Ada' }],
      answers: [
        { blockId: 'i1', content: 'Ada' },
        { blockId: 'i2', content: 'x' },
      ],
      transcript: [
        { role: 'user', text: 'Ada' },
        { role: 'assistant', text: 'Hi Ada' },
        { role: 'user', text: 'x' },
        { role: 'assistant', text: 'Bye Ada' },
      ],
    })
  })

  it('stays erased, though its conversation goes on', async () => {
    const world = createTestChat([greets])
    await startLive(world)
    await world.results.delete('flow-1', ['result-1'])
    expect(said(await goOn(world, say('Ada')))).toEqual(['Hi Ada'])
    expect(await world.results.get('flow-1', 'result-1')).toBeUndefined()
  })

  it('is begun by a linked flow that keeps its results to itself, whenever the link is met', async () => {
    const linking = wholeDefinition({ blocks: [textInput('i'), flowLink('l', 'other'), bubble('b')] })
    const other = wholeDefinition({ id: 'other', blocks: [textInput('k')] })
    const world = createTestChat([linking, other])
    await startLive(world)
    await goOn(world, say('x'))
    expect(await world.results.get('other', 'id-1')).toMatchObject({ hasStarted: false, isCompleted: false })
    await goOn(world, say('y'))
    expect(await world.results.get('other', 'id-1')).toMatchObject({
      isCompleted: true,
      answers: [{ blockId: 'k', content: 'y' }],
    })
    expect(await world.results.get('flow-1', 'result-1')).toMatchObject({
      isCompleted: true,
      answers: [{ blockId: 'i', content: 'x' }],
    })
  })
})

describe('the transcript of a session', () => {
  it('forgets its oldest lines when it grows beyond a variable', async () => {
    const flow = wholeDefinition({
      variables: [variable('All')],
      groups: [
        {
          id: 'g1',
          title: 'Ask',
          blocks: [
            textInput('i'),
            {
              id: 's',
              type: 'Set variable',
              outgoingEdgeId: 'e1',
              options: { variableId: 'vAll', type: 'Transcript' },
            },
          ],
        },
      ],
      edges: [{ id: 'e1', to: { groupId: 'g1' } }],
    })
    const world = createWatchedChat([flow], { limits: { ...defaultLimits, variableLength: 40 } })
    await startLive(world)
    for (const text of ['first', 'second', 'third', 'fourth']) await goOn(world, say(text))
    expect(world.savedSessions.at(-1)?.transcript).toEqual(['User: "third"', 'User: "fourth"'])
    await goOn(world, say('x'.repeat(50)))
    expect(world.savedSessions.at(-1)?.transcript).toHaveLength(1)
  })
})

describe('when a store fails', () => {
  it('the session is left as it was', async () => {
    const plain = createWatchedChat([greets])
    await startLive(plain)
    const failing = createTestChat([greets], {
      ...plain,
      conversations: { ...plain.conversations, commit: () => Promise.reject(new Error('disk')) },
    })
    await expect(goOn(failing, say('Ada'))).rejects.toThrow('disk')
    expect(said(await goOn(plain, say('Bo')))).toEqual(['Hi Bo'])
    expect((await plain.results.get('flow-1', 'result-1'))?.answers).toEqual([
      { blockId: 'i1', content: 'Bo' },
    ])
  })

  it('and the session stays as it was when its result can not be kept', async () => {
    let isFull = false
    const { apply } = new MemoryResultStore({ maxBytes: 1024 * 1024 })
    const world = createTestChat([greets], {
      results: {
        apply(changes) {
          if (isFull) throw new Error('disk')
          apply(changes)
        },
      },
    })
    await startLive(world)
    const before = await sessionOf(world, 'session-1')
    isFull = true
    await expect(goOn(world, say('Ada'))).rejects.toThrow('disk')
    expect(await sessionOf(world, 'session-1')).toEqual(before)
    await expect(startLive(world)).rejects.toThrow('disk')
    expect(await sessionOf(world, 'session-2')).toBeUndefined()
    isFull = false
    expect(said(await goOn(world, say('Bo')))).toEqual(['Hi Bo'])
  })
})

describe('a turn that lost its session to another', () => {
  it('is refused as one that is worth repeating, and keeps nothing', async () => {
    const world = createTestChat([greets])
    await startLive(world)
    const { conversations } = world
    const late = createTestChat([greets], {
      conversations: { ...conversations, commit: () => Promise.resolve(undefined) },
    })
    await expect(goOn(late, say('Ada'))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(said(await goOn(world, say('Bo')))).toEqual(['Hi Bo'])
  })

  it('makes no more calls', async () => {
    const asking = wholeDefinition({
      blocks: [
        textInput('i1'),
        { id: 'r1', type: 'Webhook', options: { webhook: { url: 'https://api.example/', method: 'GET' } } },
        textInput('i2'),
      ],
    })
    const requests: unknown[] = []
    const http = {
      ...nowhere.http,
      send: async (request: unknown) => {
        requests.push(request)
        return { kind: 'response', status: 200, text: '{}' } as const
      },
    }
    const world = createTestChat([asking], { http })
    await startLive(world)
    const late = createTestChat([asking], {
      http,
      conversations: { ...world.conversations, isHeld: async () => false },
    })
    await expect(goOn(late, say('Ada'))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(requests).toEqual([])
    await goOn(world, say('Bo'))
    expect(requests).toHaveLength(1)
  })
})

describe('two blocks of one id', () => {
  it('are distinguished by their groups', async () => {
    const flow = wholeDefinition({
      groups: [
        { id: 'g1', title: 'One', blocks: [{ ...textInput('i'), outgoingEdgeId: 'e1' }] },
        { id: 'g2', title: 'Two', blocks: [{ id: 'i', type: 'number input' }, bubble('done')] },
      ],
      edges: [{ id: 'e1', to: { groupId: 'g2' } }],
    })
    const world = createTestChat([flow])
    await startLive(world)
    await goOn(world, say('5'))
    expect(said(await goOn(world, say('5')))).toEqual(['done'])
  })
})

describe('what clients send back', () => {
  it('may be longer than what visitors say', async () => {
    const request = {
      id: 'h',
      type: 'Webhook',
      options: {
        isExecutedOnClient: true,
        webhook: { url: 'https://a.example' },
        responseVariableMapping: [{ id: 'm', variableId: 'vA', bodyPath: 'data.length' }],
      },
    }
    const flow = wholeDefinition({ variables: [variable('A')], blocks: [request, bubble('b', '{{A}}')] })
    const world = createTestChat([flow])
    await startLive(world)
    const text = JSON.stringify({ statusCode: 200, data: 'x'.repeat(100_000) })
    expect(said(await goOn(world, say(text)))).toEqual(['100000'])
  })
})

describe('a result that was remembered and erased', () => {
  it('is not made again by the continue of a session that was only registered', async () => {
    const flow = { ...greets, settings: { general: { rememberUser: { isEnabled: true } } } }
    const world = createTestChat([flow])
    await startLive(world, { message: 'Ada' })
    await startLive(world, { resultId: 'result-1', isOnlyRegistering: true })
    await world.results.delete('flow-1', ['result-1'])
    await goOn(world, {}, { sessionId: 'session-2' })
    expect(await world.results.get('flow-1', 'result-1')).toBeUndefined()
  })
})

describe('turns of one session', () => {
  it('run one after the other, in the order they came', async () => {
    const flow = wholeDefinition({
      variables: [variable('All', { value: [] })],
      groups: [
        {
          id: 'g1',
          title: 'Ask',
          blocks: [
            textInput('i', 'vAll'),
            flowLink('l', 'nowhere'),
            { ...bubble('b', '{{All}}'), outgoingEdgeId: 'e1' },
          ],
        },
      ],
      edges: [{ id: 'e1', to: { groupId: 'g1' } }],
    })
    const plain = createTestChat([flow])
    const slowly = async (flowId: string) => {
      if (flowId === 'nowhere') await new Promise((resolve) => setTimeout(resolve, 5))
      return plain.published.byFlowId(flowId)
    }
    const world = createTestChat([], {
      published: { ...createMemoryPublishedFlows([]), ...plain.published, byFlowId: slowly },
    })
    await startLive(world)
    const answers = await Promise.all(['a', 'b', 'c'].map((text) => goOn(world, say(text))))
    expect(answers.map(said)).toEqual([['["a"]'], ['["a","b"]'], ['["a","b","c"]']])
  })

  it('are refused when too many wait', async () => {
    const plain = createTestChat([greets])
    const slowly = async (flowId: string) => plain.published.byFlowId(flowId)
    const world = createTestChat([], {
      published: { ...createMemoryPublishedFlows([]), ...plain.published, byFlowId: slowly },
    })
    await startLive(world)
    const turns = Array.from({ length: 20 }, () => goOn(world, say('x')).catch((error: unknown) => error))
    const refused = (await Promise.all(turns)).filter(
      (answer) => (answer as { code?: string }).code === 'TOO_MANY_REQUESTS',
    )
    expect(refused).toHaveLength(3)
  })
})
