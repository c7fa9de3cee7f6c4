import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import fastify from 'fastify'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Connections } from '../../../src/http/protection/connections.ts'
import { type BodyTimeLimits, limitBodyTime } from '../../../src/http/protection/slow-clients.ts'
import { disableBodyParsing } from '../../../src/http/request/body/raw-body.ts'
import { noUploads } from '../../../src/uploads/uploads-service.ts'
import { buildTestApp } from '../../support/build-test-app.ts'

const never = 60_000
const patient: BodyTimeLimits = { wholeMs: never, paceMs: never, paceBytes: 1 }

/** A server that answers with the length of a body: at `/whole` one that has to be there soon, at `/slow` any. */
async function listen(given: Partial<BodyTimeLimits>) {
  const app = fastify()
  onTestFinished(() => app.close())
  const connections = new Connections(app, 100)
  app.addHook('onRequest', async (request, reply) => void connections.begin({ request, reply }))
  limitBodyTime(app, connections, { ...patient, ...given })
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  const lengthOf = async ({ body }: { body: unknown }) => `length ${String(body).length}`
  app.post('/whole', lengthOf)
  app.put('/slow', { config: { arrivesSlowly: true } }, lengthOf)
  app.get('/late', async () => {
    await setTimeout(200)
    return 'late'
  })
  app.register(async (scope) => {
    disableBodyParsing(scope)
    scope.post('/unread', async () => {
      await setTimeout(300)
      return 'done'
    })
  })
  app.post('/early', { onRequest: async (_request, reply) => reply.code(403).send('no') }, async () => 'yes')
  await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  const answer = answerOn(socket)
  const begin = (line: string, length: number) =>
    socket.write(`${line} HTTP/1.1\r\nhost: a\r\ncontent-type: a/b\r\ncontent-length: ${length}\r\n\r\n`)
  return { socket, answer, begin }
}

/** All that comes on a connection: a client that still sends when it is closed gets a reset behind the answer. */
function answerOn(socket: Socket): Promise<string> {
  const received: Buffer[] = []
  socket.on('data', (chunk) => received.push(chunk)).on('error', () => undefined)
  return new Promise((resolve) => socket.on('close', () => resolve(Buffer.concat(received).toString())))
}

const late = /^HTTP\/1\.1 408 Request Timeout\r\n/

describe('a body that takes too long', () => {
  it('is answered with an error, and its connection ends', async () => {
    const { socket, answer, begin } = await listen({ wholeMs: 30 })
    begin('POST /whole', 100)
    socket.write('half')
    expect(await answer).toMatch(late)
    const body = JSON.parse((await answer).split('\r\n\r\n')[1] ?? '')
    expect(body).toMatchObject({ status: 408, code: 'REQUEST_TIMEOUT', title: 'Request Timeout' })
  })

  it('is answered with an error when it comes in chunks', async () => {
    const { socket, answer } = await listen({ wholeMs: 30 })
    socket.write(
      'POST /whole HTTP/1.1\r\nhost: a\r\ncontent-type: a/b\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf',
    )
    expect(await answer).toMatch(late)
  })

  it('gets no second answer after an early one', async () => {
    const { answer, begin } = await listen({ wholeMs: 50 })
    begin('POST /early', 100)
    expect((await answer).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 403'])
  })

  it('may take as long as it likes where that is allowed, as long as it keeps coming', async () => {
    const { socket, answer, begin } = await listen({ wholeMs: 30, paceMs: 3000, paceBytes: 4 })
    begin('PUT /slow', 40)
    for (let sent = 0; sent < 40; sent += 4) {
      socket.write('abcd')
      await setTimeout(50)
    }
    socket.end()
    expect(await answer).toContain('length 40')
  })

  it('has to keep coming there', async () => {
    const { socket, answer, begin } = await listen({ paceMs: 100, paceBytes: 1000 })
    begin('PUT /slow', 1_000_000)
    await setTimeout(20)
    socket.write('x'.repeat(5000))
    const drip = setInterval(() => socket.write('x'), 10)
    onTestFinished(() => clearInterval(drip))
    expect(await answer).toMatch(late)
  })
})

describe('a request that is whole', () => {
  it('may be read as late as anybody likes', async () => {
    const { socket, answer, begin } = await listen({ wholeMs: 150 })
    begin('POST /unread', 4)
    socket.write('body')
    await setTimeout(400)
    socket.end()
    expect(await answer).toMatch(/^HTTP\/1\.1 200 OK.*done$/s)
  })

  it('is none of the business of its arrival', async () => {
    const { socket, answer, begin } = await listen({ wholeMs: 150 })
    begin('POST /whole', 4)
    socket.write('body')
    await setTimeout(300)
    socket.write('GET /late HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
    expect(await answer).toMatch(/length 4HTTP\/1\.1 200 OK.*late$/s)
  })
})

describe('the service', () => {
  /** Sends the head of a request, and makes time stand still. */
  async function begin(line: string) {
    let received = 0
    const receive = async (_token: string, content: AsyncIterable<Uint8Array>) => {
      for await (const chunk of content) received += chunk.length
    }
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { app } = await buildTestApp({ uploads: { ...noUploads, receive } })
    await app.listen({ host: '127.0.0.1', port: 0 })
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    const answer = answerOn(socket)
    const arrived = once(app.server, 'request')
    const lines = [`${line} HTTP/1.1`, 'host: a', 'content-type: application/json', 'content-length: 999999']
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    const [request] = await arrived
    const send = async (bytes: number) => {
      const expected = received + bytes
      socket.write('x'.repeat(bytes))
      while (received < expected) await new Promise(setImmediate)
    }
    return { request, answer, send }
  }

  it('gives a body of JSON two minutes', async () => {
    const { request, answer } = await begin('POST /v1/flows/welcome/startChat')
    vi.advanceTimersByTime(119_000)
    expect(request.socket.destroyed).toBe(false)
    vi.advanceTimersByTime(3_000)
    expect(await answer).toMatch(late)
  })

  it('gives an upload as long as 16 KiB come in each minute', async () => {
    const { request, answer, send } = await begin('PUT /uploads/a.b')
    for (let minute = 0; minute < 10; minute++) {
      await send(16 * 1024)
      vi.advanceTimersByTime(60_000)
    }
    expect(request.socket.destroyed).toBe(false)
    await send(16 * 1024 - 1)
    vi.advanceTimersByTime(60_000)
    expect(await answer).toMatch(late)
  })
})
