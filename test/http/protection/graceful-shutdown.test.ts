import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { toByteString } from '../../../src/lib/byte-string.ts'
import { buildTestApp, recordingChat } from '../../support/build-test-app.ts'

function createGate() {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open: () => open() }
}

/** A listening server whose starts wait for the gate. */
async function listen() {
  const gate = createGate()
  const arrived = createGate()
  const answer = async () => {
    arrived.open()
    await gate.passed
    return toByteString('{"sessionId":"s"}')
  }
  const chat = { ...recordingChat().chat, startPublished: answer }
  const { app } = await buildTestApp({ chat })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return { app, port, gate, arrived }
}

async function send(options: { port: number; method: string; path: string; agent: Agent }) {
  const sent = request({ host: '127.0.0.1', ...options })
  sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode, headers: response.headers, body: await text(response) }
}

function keepAliveAgent(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  return agent
}

const startPath = '/v1/flows/welcome/startChat'

describe('a closing server', () => {
  it('answers what it accepted before, and ends the connection with it', async () => {
    const { app, port, gate, arrived } = await listen()
    const answer = send({ port, method: 'POST', path: startPath, agent: keepAliveAgent() })
    await arrived.passed
    const closed = app.close()
    await new Promise(setImmediate)
    gate.open()
    expect(await answer).toMatchObject({
      status: 200,
      body: '{"sessionId":"s"}',
      headers: { connection: 'close' },
    })
    await closed
  })

  it('accepts no more connections', async () => {
    const { app, port, gate, arrived } = await listen()
    const answer = send({ port, method: 'POST', path: startPath, agent: keepAliveAgent() })
    await arrived.passed
    const closed = app.close()
    await new Promise(setImmediate)
    const refused = send({ port, method: 'GET', path: '/ready', agent: keepAliveAgent() })
    await expect(refused).rejects.toThrow('ECONNREFUSED')
    gate.open()
    await Promise.all([answer, closed])
  })

  it('refuses what still comes in on open connections, and is not ready', async () => {
    const { app, port, gate, arrived } = await listen()
    const late = connect(port, '127.0.0.1')
    late.write('GET /ready HTTP/1.1\r\n')
    const answer = send({ port, method: 'POST', path: startPath, agent: keepAliveAgent() })
    await arrived.passed
    const closed = app.close()
    await new Promise(setImmediate)
    late.write('host: a\r\n\r\n')
    const [head, body] = (await text(late)).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1.1 503 Service Unavailable\r\n/)
    expect(head?.toLowerCase()).toContain('connection: close')
    expect(JSON.parse(body ?? '')).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'The service is shutting down',
    })
    gate.open()
    await Promise.all([answer, closed])
  })

  it('waits for no connection that is open without a request', async () => {
    const { app, port } = await listen()
    const agent = keepAliveAgent()
    await send({ port, method: 'GET', path: '/health', agent })
    const idle = connect(port, '127.0.0.1')
    await once(idle, 'connect')
    // Both would be waited for as long as they are kept alive, which is longer than a test may take.
    await app.close()
    expect(idle.destroyed || (await once(idle, 'close'))).toBeTruthy()
  })
})
