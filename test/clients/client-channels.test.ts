import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  type Client,
  createClient,
  GoneError,
  RefusedError,
  StreamError,
  UnreachableError,
} from '../../client/client.ts'
import type { Server } from '../../src/http/types.ts'
import { serveChat } from '../fixtures/served-chat.ts'
import { bubble, textInput, variable } from '../fixtures/short-flows.ts'
import { openUploadWorld } from '../fixtures/uploading.ts'
import { adminTokens } from '../support/admin-tokens.ts'
import { buildTestApp, recordingChat } from '../support/build-test-app.ts'
import { wholeDefinition } from '../support/conformance.ts'

const adminToken = 'the-token-of-the-operator'

/** A conversation of a client over the network; `meet` is asked before each request whether something stands in its way. */
async function connect(app: Server, meet: () => Response | Error | undefined = () => undefined) {
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const keys: (string | null)[] = []
  const client = createClient({
    address,
    fetch: async (...asked) => {
      keys.push(new Headers(asked[1]?.headers).get('idempotency-key'))
      const met = meet()
      if (met instanceof Error) throw met
      return met ?? fetch(...asked)
    },
  })
  return { address, keys, client, conversation: client.resume({ sessionId: 'session-1' }) }
}

describe('a file that the client uploads', () => {
  async function waitForFile() {
    const block = {
      type: 'file input',
      options: { allowedFileTypes: { isEnabled: true, types: ['application/pdf'] } },
    }
    const { uploads, world, startLive } = await openUploadWorld({ block, fileBytes: 1000 })
    const sessionId = await startLive()
    const { client } = await connect((await buildTestApp({ chat: world.chat, uploads })).app)
    return client.resume({ sessionId })
  }

  it('is at the address that is the reply to the input', async () => {
    const conversation = await waitForFile()
    const file = new File(['%PDF-1.4'], 'note.pdf', { type: 'application/pdf' })
    const address = await conversation.upload(file)
    expect(await (await fetch(address)).text()).toBe('%PDF-1.4')
    expect((await conversation.reply(address)).input).toBeUndefined()
  })

  it.each([
    ['of another kind', new File(['x'], 'note.txt', { type: 'text/plain' })],
    ['that is too large', new File(['x'.repeat(2000)], 'note.pdf', { type: 'application/pdf' })],
  ])('is refused with a reason when it is one %s', async (_which, file) => {
    const refused = (await waitForFile()).upload(file)
    await expect(refused).rejects.toThrow(RefusedError)
    await expect(refused).rejects.toMatchObject({ status: 400, code: 'BAD_REQUEST' })
  })
})

describe('what a model says to the client', () => {
  async function* recordsOf(...records: readonly string[]) {
    yield* records
  }

  async function hear(...records: readonly string[]) {
    const streamMessage = async () => recordsOf(...records)
    const { app } = await buildTestApp({ chat: { ...recordingChat().chat, streamMessage } })
    const { conversation } = await connect(app)
    const heard: string[] = []
    const listening = (async () => {
      for await (const piece of conversation.stream()) heard.push(piece)
    })()
    return { heard, error: await listening.catch((error: unknown) => error) }
  }

  it('comes piece by piece', async () => {
    const records = ['0:"Well,\\n"\n', '0:"', 'hel', 'lo"\n', 'd:{}\n']
    expect(await hear(...records)).toEqual({ heard: ['Well,\n', 'hello'], error: undefined })
  })

  it.each([
    ['3:"{\\"description\\":\\"The model is out\\"}"\n', 'The model is out'],
    ['3:"nothing that is JSON"\n', 'The answer broke off'],
  ])('breaks off with an error of its own: %s', async (record, message) => {
    const { heard, error } = await hear('0:"Well"\n', record)
    expect(heard).toEqual(['Well'])
    expect(error).toBeInstanceOf(StreamError)
    expect(error).toMatchObject({ message })
  })
})

describe('events that the client follows', () => {
  it('tell of a webhook and of turns elsewhere, and end with the session', async () => {
    const listener = { id: 'w1', type: 'webhook', options: {} }
    const flow = wholeDefinition({ blocks: [listener, bubble('b1'), textInput('i1')] })
    const { app, post } = await serveChat([flow], {
      config: { adminTokens: adminTokens(adminToken), webhookWaitMs: 0 },
    })
    const { client } = await connect(app)
    const { conversation } = await client.start('flow-1')
    const events = conversation.events()
    const first = events.next()
    const call = '/v1/flows/flow-1/blocks/w1/results/result-1/executeWebhook'
    await post(call, { paid: true }, { authorization: `Bearer ${adminToken}` })
    expect((await first).value).toMatchObject({ type: 'webhook', version: expect.any(String) })
    await conversation.reply()
    expect((await events.next()).value).toMatchObject({ type: 'updated', version: conversation.version })
    await conversation.reply('Bye')
    for await (const { type } of events) expect(type).toBe('updated')
    await expect(conversation.look()).rejects.toThrow(GoneError)
  })

  it('bring what the session has said by itself since the version that is known', async () => {
    const flow = wholeDefinition({
      events: [
        { id: 'start', type: 'start', outgoingEdgeId: 'e-start' },
        { id: 'idle', type: 'idle', outgoingEdgeId: 'eR', options: { after: 'PT30M' } },
      ],
      groups: { a: [textInput('i1')], r: [bubble('b1', 'Still there?')] },
      edges: { eR: 'r' },
    })
    const { client } = await connect((await serveChat([])).app)
    const { conversation, answer } = await client.startPreview('flow-1', { flow: flow as never })
    expect(answer.actsAfterSeconds).toBe(1800)
    const elsewhere = client.resume(conversation)
    const skipped = await elsewhere.skipToTimer()
    expect(skipped).toMatchObject({ messages: [{ id: 'b1' }], input: { id: 'i1' } })
    const events = conversation.events()
    const { version } = elsewhere
    expect((await events.next()).value).toMatchObject({ type: 'messages', version, messages: [{ id: 'b1' }] })
    expect((await events.next()).value).toEqual({ type: 'updated', version })
    await events.return()
    expect(await conversation.look()).toMatchObject({ messages: [{ id: 'b1' }], input: { id: 'i1' } })
  })

  it('stop when they are no longer wanted', async () => {
    const { app } = await serveChat([wholeDefinition({ blocks: [textInput('i1')] })])
    const { client } = await connect(app)
    const { conversation } = await client.start('flow-1')
    const ending = new AbortController()
    const next = conversation.events(ending.signal).next()
    ending.abort(new Error('enough'))
    await expect(next).rejects.toThrow('enough')
  })
})

describe('a request of the client that meets an obstacle', () => {
  const greeting = wholeDefinition({
    variables: [variable('Name')],
    blocks: [textInput('i1', 'vName'), bubble('b1', 'Hi {{Name}}'), textInput('i2')],
  })
  const busy = (headers = {}) => new Response('{}', { status: 503, headers })

  it('waits as long as it is told to, and is sent again with its key', async () => {
    const obstacles = [busy({ 'retry-after': '0' })]
    const { client, keys } = await connect((await serveChat([greeting])).app, () => obstacles.shift())
    await client.start('flow-1')
    expect(keys).toEqual([expect.any(String), keys[0]])
  })

  it('is not sent again where nothing says that it may be', async () => {
    const obstacles = [busy()]
    const { client, keys } = await connect((await serveChat([greeting])).app, () => obstacles.shift())
    await expect(client.start('flow-1')).rejects.toMatchObject({
      status: 503,
      code: 'UNKNOWN',
      retryAfterSeconds: undefined,
    })
    expect(keys).toHaveLength(1)
  })

  it('says when the service wants to be asked again', async () => {
    const { app } = await serveChat([greeting])
    const { conversation } = await connect(app, () => busy({ 'retry-after': '7' }))
    await expect(conversation.look()).rejects.toMatchObject({ status: 503, retryAfterSeconds: 7 })
  })

  it('can be repeated later with a key of the caller, and is done once', async () => {
    const { app } = await serveChat([greeting])
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    let isCut = false
    const cut: typeof fetch = async (...asked) => {
      const response = await fetch(...asked)
      if (isCut) throw new TypeError('the connection broke')
      return response
    }
    const client = createClient({ address, fetch: cut, repetitions: 0 })
    const { conversation } = await client.start('flow-1')
    isCut = true
    const lost = await conversation
      .reply('Ada', { key: 'a-key-of-the-caller-1' })
      .catch((error: unknown) => error)
    expect(lost).toBeInstanceOf(UnreachableError)
    expect(lost).toMatchObject({ isLate: false })
    isCut = false
    const turn = await conversation.reply('Ada', { key: 'a-key-of-the-caller-1' })
    expect(turn.input).toMatchObject({ id: 'i2' })
    expect((await conversation.look()).input).toMatchObject({ id: 'i2' })
  })

  it('is given up at once when it is no longer wanted', async () => {
    const { client } = await connect((await serveChat([greeting])).app)
    const ending = new AbortController()
    onTestFinished(() => ending.abort())
    ending.abort(new Error('enough'))
    await expect(client.check({ source: '{}' }, ending.signal)).rejects.toThrow('enough')
  })
})

describe('a service that accepts and never answers', () => {
  const place = { sessionId: 's1' }
  const silence: RequestListener = () => undefined
  const half: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"sessionId":')
  }

  /** A client of a server that does this, and the keys that it was sent. */
  async function connectTo(
    listener: RequestListener,
    options: { timeLimitMs?: number; repetitions?: number },
  ) {
    const keys: unknown[] = []
    const server = createServer((request, response) => {
      keys.push(request.headers['idempotency-key'])
      listener(request, response)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const client = createClient({ address, ...options })
    return { client, conversation: client.resume({ sessionId: 's1' }), keys, asked: once(server, 'request') }
  }

  it.each([
    ['says nothing', silence],
    ['stops in the middle of its answer', half],
  ])('and %s is given up and asked again with the same key', async (_name, listener) => {
    const { client, keys } = await connectTo(listener, { timeLimitMs: 500, repetitions: 1 })
    const failure = await client.start('flow-1').catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(UnreachableError)
    expect(failure).toMatchObject({ isLate: true, cause: { message: 'No answer came within 1 s' } })
    expect(keys).toEqual([expect.any(String), keys[0]])
  })

  it('is given up by each operation', async () => {
    const { conversation } = await connectTo(silence, { timeLimitMs: 20, repetitions: 0 })
    for (const asking of [
      conversation.reply('Ada'),
      conversation.look(),
      conversation.upload(new File(['x'], 'note.txt')),
      conversation.stream().next(),
      conversation.events().next(),
    ])
      await expect(asking).rejects.toThrow(UnreachableError)
  })

  it('is given up when the caller no longer wants an answer', async () => {
    for (const listener of [silence, half]) {
      for (const ask of [
        (client: Client, signal: AbortSignal) => client.start('flow-1', {}, { signal }),
        (client: Client, signal: AbortSignal) => client.resume(place).reply('Ada', { signal }),
        (client: Client, signal: AbortSignal) => client.resume(place).look(signal),
        (client: Client, signal: AbortSignal) =>
          client.resume(place).upload(new File(['x'], 'a.txt'), signal),
        (client: Client, signal: AbortSignal) => client.resume(place).stream(signal).next(),
      ]) {
        const { client, asked } = await connectTo(listener, {})
        const ending = new AbortController()
        const asking = ask(client, ending.signal)
        await Promise.all([
          expect(asking).rejects.toThrow('enough'),
          asked.then(() => ending.abort(new Error('enough'))),
        ])
      }
    }
  })
})
