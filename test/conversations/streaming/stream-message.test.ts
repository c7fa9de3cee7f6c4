import { once } from 'node:events'
import type { Socket } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { ServiceError } from '../../../src/lib/errors.ts'
import { anonymous } from '../../../src/ports/caller.ts'
import {
  type Asking,
  apiKey,
  eventsOf,
  soon,
  startAsking,
  streams,
  usageOf,
  variables,
} from '../../fixtures/asking-models.ts'
import { bubble, edge, group, modelQuestion, textInput } from '../../fixtures/short-flows.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import { fixedNow, fixedPorts } from '../../support/fixed-ports.ts'
import type { Json } from '../../support/json.ts'
import { defaultLimits } from '../../support/limits.ts'
import { nowhere } from '../../support/nowhere.ts'
import { previewRequest } from '../../support/preview-request.ts'
import { httpAnswer } from '../../support/raw-http-server.ts'
import { parseWire } from '../../support/wire.ts'

const streamAction = { type: 'stream', stream: true, expectsDedicatedReply: true }

const options = modelQuestion('{{Ask}}', 'vReply', { credentialsId: 'c1', model: 'tiny-1' })

interface Given extends Partial<Omit<Asking, 'definition'>> {
  readonly type?: string
  readonly options?: Json
  readonly blocks?: readonly Json[]
  readonly definition?: Json
}

/** A session that waits for an answer that is shown by the bubble `b`. */
function start({ type = 'openai', blocks, definition, ...given }: Given = {}) {
  const block = { id: 'x1', type, options: { ...options, ...given.options } }
  return startAsking({
    definition: {
      variables: variables({ Reply: 'old', Tokens: 'old', Ask: 'Hours?' }),
      blocks: [block, ...(blocks ?? [bubble('b', '{{Reply}}'), bubble('on', 'on'), textInput('end')])],
      ...definition,
    },
    body: { isStreamEnabled: true },
    answers: () => streams(eventsOf(['9 to', ' 5.'], usageOf(31, 4))),
    ...given,
  })
}

type Started = Awaited<ReturnType<typeof start>>

function open({ chat }: Started, more: { origin?: string; signal?: AbortSignal } = {}) {
  const { origin, signal = new AbortController().signal } = more
  return chat.streamMessage({ caller: anonymous, sessionId: 'session-1', origin, signal })
}

/** Everything that is streamed, as one text. */
async function read(started: Started): Promise<string> {
  let text = ''
  for await (const records of await open(started)) text += records
  return text
}

async function refusal(promise: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ServiceError)) throw new Error('there was no refusal', { cause: error })
  return { code: error.code, message: error.message }
}

const isWaiting = ({ response }: { response: Json }) => response['clientSideActions'] !== undefined

describe('a block whose answer can be streamed', () => {
  it('waits for the client, and asks no model yet', async () => {
    const { response, server } = await start()
    expect(response['clientSideActions']).toEqual([streamAction])
    expect(response['messages']).toEqual([])
    expect(response).not.toHaveProperty('input')
    expect(server.requests).toEqual([])
  })

  it.each<[string, Given]>([
    ['the placeholder alone', {}],
    ['more behind its leaf', { blocks: [richText([{ text: '{{Reply}}' }, { text: '!' }])] }],
    ['more paragraphs', { blocks: [richText([{ text: '{{Reply}}' }], [{ text: 'more' }])] }],
    ['marks', { blocks: [richText([{ text: '{{Reply}}', bold: true }])] }],
    [
      'another row first',
      {
        options: {
          responseMapping: [
            { item: 'Total tokens', variableId: 'vTokens' },
            { item: 'Message content', variableId: 'vReply' },
          ],
        },
      },
    ],
    [
      'a group of its own',
      {
        definition: {
          blocks: undefined,
          groups: [
            group('g1', { id: 'x1', type: 'groq', outgoingEdgeId: 'e1', options }),
            group('g2', bubble('b', '{{Reply}}')),
          ],
          edges: [edge('e1', 'g2')],
        },
      },
    ],
  ])('is streamed into a bubble with %s', async (_, given) => {
    expect(isWaiting(await start(given))).toBe(true)
  })

  it.each<[string, Given]>([
    ['the client does not stream', { body: {} }],
    ['a text comes before', { blocks: [bubble('b', 'So: {{Reply}}')] }],
    ['a text comes behind', { blocks: [bubble('b', '{{Reply}}.')] }],
    ['an empty leaf comes before', { blocks: [richText([{ text: '' }, { text: '{{Reply}}' }])] }],
    ['a link comes first', { blocks: [richText([{ type: 'a', children: [{ text: '{{Reply}}' }] }])] }],
    ['the bubble shows another variable', { blocks: [bubble('b', '{{Ask}}')] }],
    ['the bubble shows code', { blocks: [bubble('b', '{{= {{Reply}} =}}')] }],
    ['the bubble is empty', { blocks: [{ id: 'b', type: 'text' }, bubble('c', '{{Reply}}')] }],
    [
      'the bubble has no paragraphs',
      { blocks: [{ id: 'b', type: 'text', content: { richText: ['{{Reply}}', { children: 5 }] } }] },
    ],
    ['no bubble comes next', { blocks: [textInput('end'), bubble('b', '{{Reply}}')] }],
    ['nothing comes next', { blocks: [] }],
    [
      'the way on leads nowhere',
      {
        definition: {
          groups: [group('g1', { id: 'x1', type: 'openai', outgoingEdgeId: 'gone', options })],
          blocks: undefined,
        },
      },
    ],
    [
      'the answer goes nowhere',
      { options: { responseMapping: [{ item: 'Total tokens', variableId: 'vReply' }] } },
    ],
    ['nothing is mapped', { options: { responseMapping: undefined } }],
    ['another action is chosen', { options: { action: 'Generate variables', prompt: 'x' } }],
  ])('is asked within the turn when %s', async (_, given) => {
    expect(isWaiting(await start({ answers: () => httpAnswer(500, '', soon), ...given }))).toBe(false)
  })
})

function richText(...paragraphs: Json[][]): Json {
  return {
    id: 'b',
    type: 'text',
    content: { richText: paragraphs.map((children) => ({ type: 'p', children })) },
  }
}

describe('the stream of an answer', () => {
  it('brings the pieces as they come, and the end', async () => {
    const started = await start()
    expect(await read(started)).toBe('0:"9 to"\n0:" 5."\nd:{"finishReason":"stop"}\n')
    const [request] = started.server.requests
    expect(request?.target).toBe('/v1/chat/completions')
    expect(request?.headers.get('authorization')).toBe('Bearer k-1')
    expect(JSON.parse(request?.body ?? '')).toEqual({
      model: 'tiny-1',
      messages: [{ role: 'user', content: 'Hours?' }],
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  it('asks for no usage where that is refused', async () => {
    const started = await start({ type: 'mistral' })
    await read(started)
    expect(JSON.parse(started.server.requests[0]?.body ?? '')).not.toHaveProperty('stream_options')
  })

  it('is sent back, stored as it is, and not shown again', async () => {
    const started = await start()
    await read(started)
    const answer = '["a","b"] {{Ask}} {{=1+1=}}'
    const response = await started.continue(answer)
    expect(response['messages']).toMatchObject([{ id: 'on' }])
    expect(response['input']).toMatchObject({ id: 'end' })
    expect(await started.values()).toMatchObject({ Reply: answer })
    const result = await started.results.get('flow-1', 'result-1')
    expect(result?.transcript).toMatchObject([
      { role: 'assistant', text: answer },
      { role: 'assistant', text: 'on' },
    ])
  })

  it('is shown by its bubble when the client sends nothing back', async () => {
    const started = await start()
    await read(started)
    const response = await started.continue()
    expect(response['messages']).toMatchObject([{ id: 'b' }, { id: 'on' }])
    expect(await started.values()).toMatchObject({ Reply: 'old' })
  })

  it('has its counts written before it ends', async () => {
    const mapping = ['Prompt tokens', 'Message content', 'Total tokens', 'Message content']
    const ids = ['vAsk', 'vReply', 'vTokens', 'vCopy']
    const started = await start({
      definition: { variables: variables({ Reply: 'old', Tokens: 'old', Ask: 'Hours?', Copy: 'old' }) },
      options: { responseMapping: mapping.map((item, index) => ({ item, variableId: ids[index] })) },
    })
    for await (const records of await open(started)) {
      if (!records.includes('d:')) continue
      expect(await started.values()).toEqual({ Ask: '31', Reply: 'old', Tokens: '35', Copy: '9 to 5.' })
    }
    await started.continue('9 to 5.')
    expect(await started.values()).toEqual({ Ask: '31', Reply: '9 to 5.', Tokens: '35', Copy: '9 to 5.' })
  })

  it('goes on over the functions that a model has called', async () => {
    const call = (part: Json) => ({ choices: [{ delta: { tool_calls: [part] } }] })
    const wantsCall = [
      call({ index: 0, id: 't0', function: { name: 'f', arguments: '{"a":' } }),
      call({ index: 1, id: 't1', function: { name: 'f', arguments: '{}' } }),
      call({ index: 0, function: { arguments: '"x"}' } }),
      { choices: [{ delta: {}, finish_reason: 'tool_calls' }], usage: usageOf(5, 2) },
    ]
    const events = wantsCall.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')
    const started = await start({
      options: {
        tools: [
          { name: 'f', parameters: [{ name: 'a' }], code: 'setVariable("Ask", a || "none"); return {{Ask}}' },
        ],
        responseMapping: [{ variableId: 'vReply' }, { item: 'Total tokens', variableId: 'vTokens' }],
      },
      answers: [streams(events), streams(eventsOf(['ok'], usageOf(1, 1)))],
    })
    expect(await read(started)).toBe('0:"ok"\nd:{"finishReason":"stop"}\n')
    expect(JSON.parse(started.server.requests[1]?.body ?? '')['messages'].slice(1)).toEqual([
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          { id: 't0', type: 'function', function: { name: 'f', arguments: '{"a":"x"}' } },
          { id: 't1', type: 'function', function: { name: 'f', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 't0', content: 'Hours?' },
      { role: 'tool', tool_call_id: 't1', content: 'x' },
    ])
    expect(await started.values()).toMatchObject({ Ask: 'none', Tokens: '9', Reply: 'old' })
  })

  it('is read byte by byte', async () => {
    const events = eventsOf(['Zoé ', '"ü" 🙂\n', '{{Ask}}'])
    const answer = async (socket: Socket) => {
      socket
        .write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n')
        .valueOf()
      for (const byte of Buffer.from(events)) {
        socket.write(Uint8Array.of(byte))
        await new Promise(setImmediate)
      }
      socket.end()
    }
    const started = await start({ answers: () => (socket) => void answer(socket) })
    expect(await read(started)).toBe('0:"Zoé "\n0:"\\"ü\\" 🙂\\n"\n0:"{{Ask}}"\nd:{"finishReason":"stop"}\n')
  })

  it('ends where a variable is full', async () => {
    const chat = { limits: { ...defaultLimits, variableLength: 5 } }
    const started = await start({ chat })
    expect(await read(started)).toBe('0:"9 to"\n0:" "\nd:{"finishReason":"length"}\n')
  })

  it('keeps what functions wrote, where a variable is full', async () => {
    const part = { index: 0, id: 't0', function: { name: 'f', arguments: '{}' } }
    const wantsCall = {
      choices: [{ delta: { tool_calls: [part] }, finish_reason: 'tool_calls' }],
      usage: usageOf(5, 2),
    }
    const started = await start({
      chat: { limits: { ...defaultLimits, variableLength: 5 } },
      options: {
        tools: [{ name: 'f', code: 'setVariable("Ask", "none")' }],
        responseMapping: [{ variableId: 'vReply' }, { item: 'Total tokens', variableId: 'vTokens' }],
      },
      answers: [
        streams(`data: ${JSON.stringify(wantsCall)}\n\n`),
        streams(eventsOf(['9 to', ' 5.'], usageOf(1, 1))),
      ],
    })
    expect(await read(started)).toBe('0:"9 to"\n0:" "\nd:{"finishReason":"length"}\n')
    expect(await started.values()).toMatchObject({ Ask: 'none', Tokens: '7', Reply: 'old' })
  })

  it('shows the key nowhere, though the model says it', async () => {
    const copies = variables({ Reply: 'old', Ask: 'Hours?', Copy: 'old' })
    const started = await start({
      definition: { variables: copies },
      options: {
        responseMapping: [{ variableId: 'vReply' }, { item: 'Message content', variableId: 'vCopy' }],
      },
      answers: () => streams(eventsOf([`Bearer ${apiKey}`, '! Bearer k', '-1'])),
    })
    expect(await read(started)).toContain('0:"Bearer ******"\n')
    expect(await started.values()).toMatchObject({ Copy: 'Bearer ******! Bearer ******' })
  })

  it('keeps nothing of an answer that the conversation did not wait for', async () => {
    let arrive = (_: Socket) => {}
    const arrived = new Promise<Socket>((resolve) => {
      arrive = resolve
    })
    const mapping = [{ variableId: 'vReply' }, { item: 'Total tokens', variableId: 'vTokens' }]
    const started = await start({ answers: () => arrive, options: { responseMapping: mapping } })
    const reading = read(started)
    const socket = await arrived
    expect((await started.continue('impatient'))['input']).toMatchObject({ id: 'end' })
    socket.write(streams(eventsOf(['late'], usageOf(1, 1))))
    expect(await reading).toBe('0:"late"\nd:{"finishReason":"stop"}\n')
    expect(await started.values()).toMatchObject({ Reply: 'impatient', Tokens: 'old' })
  })

  it('comes to its end though the conversation has ended meanwhile', async () => {
    let arrive = (_: Socket) => {}
    const arrived = new Promise<Socket>((resolve) => {
      arrive = resolve
    })
    const mapping = [{ variableId: 'vReply' }, { item: 'Total tokens', variableId: 'vTokens' }]
    const blocks = [bubble('b', '{{Reply}}')]
    const started = await start({ answers: () => arrive, blocks, options: { responseMapping: mapping } })
    const reading = read(started)
    const socket = await arrived
    await started.continue('impatient')
    socket.write(streams(eventsOf(['late'], usageOf(1, 1))))
    expect(await reading).toBe('0:"late"\nd:{"finishReason":"stop"}\n')
  })

  it('says that something went wrong when its counts cannot be kept', async () => {
    const mapping = [{ variableId: 'vReply' }, { item: 'Total tokens', variableId: 'vTokens' }]
    const started = await start({ options: { responseMapping: mapping } })
    const err = new Error('no room for this')
    Object.assign(started.conversations, { commit: () => Promise.reject(err) })
    const text = await read(started)
    expect(text).toContain('Something went wrong inside')
    expect(text).not.toContain('no room')
    expect(text.endsWith('d:{"finishReason":"error"}\n')).toBe(true)
    expect(started.reports).toEqual([{ err }])
  })
})

const counted = [{ variableId: 'vReply' }, { item: 'Total tokens', variableId: 'vTokens' }]

/** Leads back to the block that streams as soon as its answer is shown. */
const looping = {
  blocks: undefined,
  groups: [
    group('g1', { id: 'x1', type: 'openai', options: { ...options, responseMapping: counted } }, loop()),
  ],
  edges: [edge('again', 'g1')],
}

function loop(): Json {
  return { ...bubble('b', '{{Reply}}'), outgoingEdgeId: 'again' }
}

/** The first question is left open, and those behind it are answered. */
function holdFirst() {
  let arrive = (_: Socket) => {}
  const arrived = new Promise<Socket>((resolve) => {
    arrive = resolve
  })
  const answers = (_: unknown, nth: number) =>
    nth === 0 ? arrive : streams(eventsOf(['new'], usageOf(2, 2)))
  return { arrived, answers }
}

const late = streams(eventsOf(['late'], usageOf(1, 1)))

describe('a stream that the conversation has left behind', () => {
  it('keeps nothing at the same block, once it is reached again', async () => {
    const { arrived, answers } = holdFirst()
    const started = await start({ answers, definition: looping })
    const reading = read(started)
    const socket = await arrived
    const response = await started.continue('impatient')
    expect(response['clientSideActions']).toEqual([streamAction])
    socket.write(late)
    expect(await reading).toBe('0:"late"\nd:{"finishReason":"stop"}\n')
    expect(await started.values()).toMatchObject({ Reply: 'impatient', Tokens: 'old' })
  })

  it('leaves no log there either', async () => {
    const { arrived, answers } = holdFirst()
    const started = await start({ answers, definition: looping })
    const reading = refusal(open(started))
    const socket = await arrived
    await started.continue('impatient')
    socket.write(httpAnswer(400))
    expect(await reading).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(await started.logs()).toEqual([])
  })

  it('makes room for the next one', async () => {
    const { arrived, answers } = holdFirst()
    const started = await start({ answers, definition: looping })
    const reading = refusal(open(started))
    const socket = await arrived
    const closed = once(socket, 'close')
    await started.continue('impatient')
    expect(await read(started)).toBe('0:"new"\nd:{"finishReason":"stop"}\n')
    expect(await reading).toEqual({ code: 'CONFLICT', message: 'The conversation has gone on meanwhile' })
    await closed
    expect(await started.values()).toMatchObject({ Reply: 'impatient', Tokens: '4' })
    expect(await started.logs()).toEqual([])
  })

  it('leaves the next one alone in its place', async () => {
    const sockets: Socket[] = []
    const started = await start({ answers: () => (socket) => void sockets.push(socket), definition: looping })
    const reading = refusal(open(started))
    await vi.waitFor(() => expect(sockets).toHaveLength(1))
    await started.continue('impatient')
    const next = read(started)
    expect(await reading).toMatchObject({ code: 'CONFLICT' })
    await vi.waitFor(() => expect(sockets).toHaveLength(2))
    expect(await refusal(open(started))).toMatchObject({
      message: 'An answer of this session is being streamed already',
    })
    sockets[1]?.write(late)
    expect(await next).toBe('0:"late"\nd:{"finishReason":"stop"}\n')
  })

  it('ends with the reason where the next one begins', async () => {
    const { arrived, answers } = holdFirst()
    const started = await start({ answers, definition: looping })
    const opening = open(started)
    const socket = await arrived
    const begins = `data: ${JSON.stringify({ choices: [{ delta: { content: 'So' } }] })}\n\n`
    socket.write(`HTTP/1.1 200 OK\r\n\r\n${begins}`)
    const records = await opening
    await started.continue('impatient')
    await read(started)
    let text = ''
    for await (const more of records) text += more
    const description = 'The conversation has gone on meanwhile'
    const log = JSON.stringify({ context: 'While streaming AI', description })
    expect(text).toBe(`0:"So"\n3:${JSON.stringify(log)}\nd:{"finishReason":"error"}\n`)
  })

  it('keeps nothing in a preview that was started again under its id', async () => {
    const { arrived, answers } = holdFirst()
    let now = fixedNow
    const started = await start({
      answers,
      chat: { previewHttp: 'on', ports: { ...fixedPorts(), now: () => now } },
    })
    const flow = wholeDefinition({
      variables: variables({ Reply: 'old', Tokens: 'old', Ask: 'Hours?' }),
      blocks: [
        { id: 'x1', type: 'openai', options: { ...options, responseMapping: counted } },
        bubble('b', '{{Reply}}'),
        bubble('t', '{{Tokens}}'),
      ],
    })
    const body = { flow, isStreamEnabled: true, sessionId: 'preview-1' }
    const startPreview = () => started.chat.startPreview(previewRequest(body))
    await startPreview()
    const { signal } = new AbortController()
    const preview = { caller: anonymous, sessionId: 'preview-1', origin: undefined, signal }
    const opening = started.chat.streamMessage(preview)
    const socket = await arrived
    now += 1
    await startPreview()
    socket.write(late)
    for await (const records of await opening) expect(records).not.toContain('"error"')
    const done = await started.chat.continue({ ...preview, body: {} })
    const bubbles = parseWire(done)['messages'] as Json[]
    expect(JSON.stringify(bubbles)).not.toContain('"2"')
    expect(JSON.stringify(bubbles)).toContain('"text":"old"')
  })
})

describe('how often a session is streamed to', () => {
  it('is bounded for each time that it waits', async () => {
    const started = await start({
      definition: looping,
      answers: () => streams(eventsOf(['a'], usageOf(1, 1))),
    })
    for (let visit = 0; visit < 2; visit++) {
      for (let nth = 0; nth < 5; nth++) await read(started)
      expect(await refusal(open(started))).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
      await started.continue(`a${visit}`)
    }
    expect(started.server.requests).toHaveLength(10)
    expect(await read(started)).toContain('0:"a"')
  })

  it('is bounded though the counts change each time', async () => {
    const started = await start({
      definition: looping,
      answers: (_, nth) => streams(eventsOf(['a'], usageOf(nth, 1))),
    })
    for (let nth = 0; nth < 5; nth++) await read(started)
    expect(await refusal(open(started))).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  })

  it('is bounded altogether', async () => {
    const started = await start({ definition: looping, answers: () => streams(eventsOf(['a'])) })
    for (let nth = 0; nth < 200; nth++) {
      await read(started)
      if (nth % 4 === 3) await started.continue(`a${nth}`)
    }
    expect(await refusal(open(started))).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    expect(started.server.requests).toHaveLength(200)
  })
})

describe('a stream that cannot begin', () => {
  it.each<[string, Given, string, string]>([
    [
      'a key is wrong',
      { answers: () => httpAnswer(401, `bad ${apiKey}`) },
      'SERVICE_UNAVAILABLE',
      "The model's server answered 401",
    ],
    [
      'a server has too much to do',
      { answers: () => httpAnswer(429, '', soon) },
      'SERVICE_UNAVAILABLE',
      "The model's server answered 429",
    ],
    [
      'a server fails',
      { answers: () => httpAnswer(500, 'x'.repeat(1_000_000), soon) },
      'SERVICE_UNAVAILABLE',
      "The model's server answered 500",
    ],
    [
      'a server says what is no JSON',
      { answers: () => streams('data: {"choices"\n\n') },
      'SERVICE_UNAVAILABLE',
      "The model's server sent what is no JSON",
    ],
    [
      'a server gives up',
      { answers: () => streams('data: {"error":{"message":"no"}}\n\n') },
      'SERVICE_UNAVAILABLE',
      "The model's server gave up",
    ],
    [
      'a server says nothing',
      { answers: () => streams('') },
      'SERVICE_UNAVAILABLE',
      'The answer of the model broke off',
    ],
    [
      'credentials are unknown',
      { options: { credentialsId: 'c2' } },
      'NOT_FOUND',
      'Could not find credentials for block openai',
    ],
    ['there is no model', { options: { model: '' } }, 'BAD_REQUEST', 'No model provided'],
    ['there are no messages', { options: { messages: [] } }, 'BAD_REQUEST', 'No messages provided'],
  ])('is refused, and leaves the session as it was, when %s', async (_, given, code, message) => {
    const started = await start(given)
    expect(await refusal(open(started))).toEqual({ code, message })
    const response = await started.continue('own words')
    expect(response['messages']).toMatchObject([{ id: 'on' }])
  })

  it('is refused when its question grows beyond all bounds', async () => {
    const limitReached = vi.fn()
    const metrics = { ...nowhere.metrics, limitReached }
    const chat = { limits: { ...defaultLimits, charactersPerTurn: 1000 }, metrics }
    const messages = [{ role: 'user', content: '{{Ask}}'.repeat(200) }]
    const started = await start({ chat, options: { messages } })
    expect(await refusal(open(started))).toMatchObject({ code: 'BAD_REQUEST' })
    expect(started.server.requests).toEqual([])
    expect(limitReached.mock.calls).toEqual([['charactersPerTurn']])
  })

  it('reports to the author what the server said, and never a key', async () => {
    const started = await start({ answers: () => httpAnswer(401, `bad ${apiKey}`) })
    await refusal(open(started))
    const result = await started.results.get('flow-1', 'result-1')
    expect(result?.logs).toEqual([
      {
        status: 'error',
        context: 'While streaming message',
        description: "The model's server answered 401",
        details: expect.stringMatching(/^Renew .*\nbad \*{6}$/),
        flowId: 'flow-1',
        groupId: expect.any(String),
        blockId: expect.any(String),
        time: expect.any(Number),
      },
    ])
    expect(started.warnings).toMatchObject([{ blockId: expect.any(String), errors: 1 }])
    expect(JSON.stringify(started.warnings)).not.toContain('bad')
  })

  it('is refused when the connection breaks', async () => {
    const started = await start({ answers: () => (socket) => socket.destroy() })
    expect(await refusal(open(started))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })

  it('is refused for a session that is not known, and for one that ended', async () => {
    const started = await start({ blocks: [bubble('b', '{{Reply}}')] })
    const signal = new AbortController().signal
    const unknown = started.chat.streamMessage({
      caller: anonymous,
      sessionId: 'gone',
      origin: undefined,
      signal,
    })
    expect(await refusal(unknown)).toMatchObject({ code: 'NOT_FOUND' })
    await started.continue('over')
    expect(await refusal(open(started))).toMatchObject({ code: 'NOT_FOUND' })
  })

  it('is refused where nothing waits yet, and where something else waits', async () => {
    const registered = await start({ body: { isStreamEnabled: true, isOnlyRegistering: true } })
    expect(await refusal(open(registered))).toMatchObject({ code: 'NOT_FOUND' })
    const asking = await start({ definition: { blocks: [textInput('end')] } })
    expect(await refusal(open(asking))).toMatchObject({ code: 'BAD_REQUEST' })
  })

  it('is refused to sites that the flow does not allow', async () => {
    const settings = { security: { allowedOrigins: ['https://shop.example'] } }
    const started = await start({ definition: { settings } })
    expect(await refusal(open(started, { origin: 'https://else.example' }))).toMatchObject({
      code: 'FORBIDDEN',
    })
    expect(started.server.requests).toEqual([])
  })

  it('is refused in a preview that sends nothing', async () => {
    const flow = wholeDefinition({
      variables: variables({ Reply: 'old', Ask: 'Hours?' }),
      blocks: [{ id: 'x1', type: 'openai', options }, bubble('b', '{{Reply}}')],
    })
    const started = await start()
    const body = { flow, isStreamEnabled: true, sessionId: 'preview-1' }
    await started.chat.startPreview(previewRequest(body))
    const { signal } = new AbortController()
    const stream = started.chat.streamMessage({
      caller: anonymous,
      sessionId: 'preview-1',
      origin: undefined,
      signal,
    })
    expect(await refusal(stream)).toMatchObject({ code: 'FORBIDDEN' })
  })

  it('is refused when the service is closing', async () => {
    const closing = new AbortController()
    const started = await start({
      chat: { closing: closing.signal },
      answers: () => {
        closing.abort()
        return undefined
      },
    })
    expect(await refusal(open(started))).toEqual({
      code: 'SERVICE_UNAVAILABLE',
      message: 'The service is shutting down',
    })
  })
})

describe('a stream that breaks off', () => {
  const begins = `data: ${JSON.stringify({ choices: [{ delta: { content: 'So' } }] })}\n\n`

  it.each<[string, string, Json]>([
    ['nothing follows', begins, { description: 'The answer of the model broke off' }],
    [
      'the server gives up',
      `${begins}data: {"error":"${apiKey}"}\n\n`,
      { description: "The model's server gave up", details: '{"error":"******"}' },
    ],
    [
      'no JSON follows',
      `${begins}data: {\n\n`,
      { description: "The model's server sent what is no JSON", details: '{' },
    ],
  ])('says so when %s', async (_, events, failure) => {
    const started = await start({ answers: () => streams(events) })
    // What another system said is kept for the author, and not told to visitors.
    const { description } = failure
    const log = JSON.stringify({ context: 'While streaming AI', description })
    expect(await read(started)).toBe(`0:"So"\n3:${JSON.stringify(log)}\nd:{"finishReason":"error"}\n`)
    expect((await started.continue('So'))['input']).toMatchObject({ id: 'end' })
    const result = await started.results.get('flow-1', 'result-1')
    expect(result?.logs).toMatchObject([{ context: 'While streaming message', ...failure }])
  })

  it('says so when the service closes', async () => {
    const closing = new AbortController()
    const started = await start({
      chat: { closing: closing.signal },
      answers: () => (socket) => void socket.write(`HTTP/1.1 200 OK\r\n\r\n${begins}`),
    })
    let text = ''
    for await (const records of await open(started)) {
      text += records
      closing.abort()
    }
    expect(text).toContain('The service is shutting down')
  })

  it('lets go of the model when the client hangs up, and of the session', async () => {
    const controller = new AbortController()
    let hasClosed: Promise<unknown> | undefined
    const started = await start({
      answers: (_, nth) =>
        nth > 0
          ? streams(eventsOf(['again']))
          : (socket) => {
              hasClosed = once(socket, 'close')
              socket.write(`HTTP/1.1 200 OK\r\n\r\n${begins}`)
            },
    })
    for await (const records of await open(started, { signal: controller.signal })) {
      expect(records).toBe('0:"So"\n')
      expect(await refusal(open(started))).toMatchObject({ code: 'CONFLICT' })
      controller.abort()
      break
    }
    await hasClosed
    await vi.waitFor(async () => expect(await read(started)).toContain('0:"again"'))
    expect((await started.results.get('flow-1', 'result-1'))?.logs).toEqual([])
  })

  it('is refused when the client hangs up before anything came', async () => {
    const controller = new AbortController()
    const started = await start({
      answers: () => {
        controller.abort()
        return undefined
      },
    })
    expect(await refusal(open(started, { signal: controller.signal }))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    })
  })
})
