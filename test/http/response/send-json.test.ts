import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { describe, expect, it, vi } from 'vitest'
import { toByteString } from '../../../src/lib/byte-string.ts'
import { bubble, textInput } from '../../fixtures/short-flows.ts'
import { buildTestApp, recordingChat } from '../../support/build-test-app.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import { createTestChat } from '../../support/start.ts'
import type { UseCases } from '../../support/use-cases.ts'

const hello = 'Grüße 🎈 日本語 \u{10FFFF}'

/** The three operations that answer with the JSON of a conversation. */
const operations = [
  ['a public start', '/v1/flows/flow-1/startChat'],
  ['a preview start', '/v1/flows/flow-1/preview/startChat'],
  ['a continue', '/v1/sessions/session-1/continueChat'],
] as const

async function listen(chat: UseCases) {
  const { app, logLines } = await buildTestApp({ chat })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return { app, logLines, port, address: `http://127.0.0.1:${port}` }
}

/** The service around a flow that speaks many languages, with a session that waits. */
async function listenWith(greeting: string) {
  const definition = wholeDefinition({ blocks: [textInput('i1'), bubble('b1', greeting), textInput('i2')] })
  const { chat } = createTestChat([definition])
  await chat.startPublished({ publicId: 'flow-1', origin: undefined, body: {} })
  const { address } = await listen(chat)
  return async (path: string, headers: Record<string, string> = {}) => {
    const body = JSON.stringify({ message: 'Hi', ...(path.includes('preview') && { flow: definition }) })
    const sent = { 'content-type': 'application/json', ...headers }
    const response = await fetch(address + path, { method: 'POST', headers: sent, body })
    return { response, bytes: Buffer.from(await response.arrayBuffer()) }
  }
}

/** A server that answers what it is told, and `slow` only when the gate is opened. */
async function listenSlowly() {
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  let count = 0
  const answer = async ({ body }: { readonly body: { readonly message?: unknown } }) => {
    if (body.message === 'slow') {
      count += 1
      await gate
    }
    return toByteString(JSON.stringify({ said: body.message }))
  }
  const chat = { ...recordingChat().chat, startPublished: answer, startPreview: answer, continue: answer }
  const arrived = (expected: number) => vi.waitFor(() => expect(count).toBe(expected))
  return { ...(await listen(chat)), open: () => open(), arrived }
}

/** A request as it goes over the wire. */
function requestFor(message: string, { path = '/v1/flows/flow-1/startChat', isLast = false } = {}): string {
  const body = JSON.stringify({ message })
  const connection = isLast ? 'connection: close\r\n' : ''
  const head = `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${connection}`
  return `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

/** What was said in each answer that a connection brought. */
async function saidOn(socket: Socket): Promise<unknown[]> {
  const answers = (await text(socket)).split(/(?=HTTP\/1\.1 )/)
  return answers.map((answer) => JSON.parse(answer.split('\r\n\r\n')[1] ?? '').said)
}

describe.each(operations)('the answer to %s', (_name, path) => {
  it('reads back exactly, whatever its language, and has its length in bytes', async () => {
    const post = await listenWith(hello)
    const { response, bytes } = await post(path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-length')).toBe(String(bytes.length))
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(bytes.toString()).toContain(`[{"text":"${hello}"}]`)
    expect(JSON.parse(bytes.toString())).toMatchObject({ messages: [{ id: 'b1' }], input: { id: 'i2' } })
  })

  it('arrives whole when it is long', async () => {
    const greeting = `${'長い話。🎈'.repeat(100_000)} The end`
    const post = await listenWith(greeting)
    const { response, bytes } = await post(path)
    expect(response.headers.get('content-length')).toBe(String(bytes.length))
    const { messages } = JSON.parse(bytes.toString())
    expect(messages[0].content.richText[0].children[0].text === greeting).toBe(true)
  })

  it('carries what every answer carries', async () => {
    const post = await listenWith(hello)
    const { response } = await post(path, { 'x-request-id': 'r1', origin: 'https://a.example' })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-request-id': 'r1',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      vary: 'Origin',
      'access-control-allow-origin': '*',
      connection: 'keep-alive',
    })
  })

  it('ends its connection while the server closes', async () => {
    const { app, port, arrived, open } = await listenSlowly()
    const socket = connect(port, '127.0.0.1')
    const answer = text(socket)
    socket.write(requestFor('slow', { path }))
    await arrived(1)
    const closed = app.close()
    await new Promise(setImmediate)
    open()
    const [head, body] = (await answer).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(head?.toLowerCase()).toContain('connection: close')
    expect(JSON.parse(body ?? '')).toEqual({ said: 'slow' })
    await closed
  })

  it('is logged once', async () => {
    const { app, logLines } = await buildTestApp()
    await app.inject({ method: 'POST', url: path, payload: {} })
    expect(logLines).toMatchObject([{ msg: 'request', status: 200, method: 'POST' }])
  })
})

describe('requests that come at once', () => {
  it('are answered in their order on one connection, though the first takes longest', async () => {
    const { port, arrived, open } = await listenSlowly()
    const socket = connect(port, '127.0.0.1')
    const said = saidOn(socket)
    socket.write(
      requestFor('slow') + requestFor('日本') + requestFor('ü') + requestFor('b', { isLast: true }),
    )
    await arrived(1)
    open()
    expect(await said).toEqual(['slow', '日本', 'ü', 'b'])
  })

  it('are each given their own answer on many connections', async () => {
    const { port } = await listenSlowly()
    const messages = Array.from({ length: 40 }, (_, index) => `${index} 🎈`)
    const said = messages.map((message) => {
      const socket = connect(port, '127.0.0.1')
      socket.write(requestFor(message, { isLast: true }))
      return saidOn(socket)
    })
    expect(await Promise.all(said)).toEqual(messages.map((message) => [message]))
  })
})

describe('a client that hangs up before its answer', () => {
  const quietly = (lines: readonly { msg: string }[]) =>
    lines.filter(({ msg }) => msg !== 'request' && !msg.startsWith('Server listening'))

  it.each<[string, (socket: Socket) => void]>([
    ['politely', (socket) => socket.destroy()],
    ['rudely', (socket) => socket.resetAndDestroy()],
  ])('takes no answer from others, and leaves the service as it was: %s', async (_name, hangUp) => {
    const { app, port, logLines, arrived, open } = await listenSlowly()
    const accepted = once(app.server, 'connection')
    const leaver = connect(port, '127.0.0.1')
    leaver.write(requestFor('slow'))
    const [serverSide] = await accepted
    const patient = connect(port, '127.0.0.1')
    const said = saidOn(patient)
    patient.write(requestFor('slow', { isLast: true }))
    await arrived(2)
    const gone = once(serverSide, 'close').catch(() => undefined)
    hangUp(leaver)
    await gone
    open()
    expect(await said).toEqual(['slow'])
    const next = connect(port, '127.0.0.1')
    next.write(requestFor('next', { isLast: true }))
    expect(await saidOn(next)).toEqual(['next'])
    expect(quietly(logLines)).toEqual([])
  })

  it('while a long answer is on its way does no harm', async () => {
    const answer = async () => toByteString(JSON.stringify({ said: '長'.repeat(3_000_000) }))
    const { port, logLines } = await listen({ ...recordingChat().chat, startPublished: answer })
    const leaver = connect(port, '127.0.0.1')
    leaver.write(requestFor('Hi'))
    await once(leaver, 'data')
    leaver.destroy()
    const next = connect(port, '127.0.0.1')
    next.write(requestFor('Hi', { isLast: true }))
    expect((await buffer(next)).length).toBeGreaterThan(9_000_000)
    expect(quietly(logLines)).toEqual([])
  })
})
