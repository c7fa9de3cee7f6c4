import { once } from 'node:events'
import { connect } from 'node:net'
import fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createBodyRoom } from '../../../src/http/request/body/body-budget.ts'
import { registerJsonParser } from '../../../src/http/request/body/json-body-parser.ts'
import { sendProblem } from '../../../src/http/response/problem-details.ts'

const headers = { 'content-type': 'application/json' }

/** Bytes by which the memory of a body that arrives may exceed it. */
const slack = 2 * 16 * 1024

/** A server with room for two long bodies, whose answers wait until they are let go. */
async function startServer(long: string) {
  const app = fastify()
  app.setErrorHandler(sendProblem)
  let nowMs = 0
  const room = createBodyRoom({ maxBytes: 2 * (long.length + slack), elapsed: () => nowMs })
  const bounds = { values: 1000, keys: 1000, shapes: 1000, levels: 1000 }
  registerJsonParser(app, { room, bodyLimit: 4 * long.length, bounds })
  const waiting: (() => void)[] = []
  app.post('/', async () => {
    await new Promise<void>((resolve) => waiting.push(resolve))
    return {}
  })
  onTestFinished(() => app.close())
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const post = async (body: string) => {
    const response = await fetch(address, { method: 'POST', headers, body })
    return response.status === 200 ? 'answered' : ((await response.json()) as { message: string }).message
  }
  const arrived = (count: number) => expect.poll(() => waiting.length).toBe(count)
  const letGo = () => {
    for (const go of waiting.splice(0)) go()
  }
  const advance = (ms: number) => {
    nowMs += ms
  }
  return { post, arrived, letGo, advance, room, port: Number(new URL(address).port) }
}

const full = 'Overloaded: too many large requests are being answered; try again later'

describe.each([300, 1600])('large requests of %d KiB', (kibibytes) => {
  const long = JSON.stringify({ text: 'x'.repeat(kibibytes * 1024) })

  it('are refused while others take all the room, and taken again afterwards', async () => {
    const { post, arrived, letGo } = await startServer(long)
    const first = [post(long), post(long)]
    await arrived(2)
    expect(await post(long)).toBe(full)
    const short = post('{}')
    await arrived(3)
    letGo()
    expect(await Promise.all([...first, short])).toEqual(['answered', 'answered', 'answered'])
    const next = [post(long), post(long)]
    await arrived(2)
    letGo()
    expect(await Promise.all(next)).toEqual(['answered', 'answered'])
  })

  it('may be one of any size', async () => {
    const { post, arrived, letGo } = await startServer(long)
    const only = post(JSON.stringify({ text: 'x'.repeat(3 * kibibytes * 1024) }))
    await arrived(1)
    letGo()
    expect(await only).toBe('answered')
  })

  it('give their room back when they are no JSON', async () => {
    const { post, arrived, letGo } = await startServer(long)
    for (let nth = 0; nth < 3; nth++) expect(await post(`${long}}`)).not.toBe(full)
    const next = [post(long), post(long)]
    await arrived(2)
    letGo()
    expect(await Promise.all(next)).toEqual(['answered', 'answered'])
  })

  it('give their room back when their sender hangs up', async () => {
    const { post, arrived, letGo, port } = await startServer(long)
    for (let nth = 1; nth <= 2; nth++) {
      const socket = connect(port, '127.0.0.1')
      socket.write(
        `POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${long.length}\r\n\r\n${long}`,
      )
      await arrived(nth)
      socket.destroy()
      await once(socket, 'close')
    }
    const next: Promise<string>[] = []
    await expect
      .poll(async () => {
        const answer = post(long)
        next.push(answer)
        return Promise.race([answer, arrived(3).then(() => 'taken')])
      })
      .toBe('taken')
    letGo()
    expect(await next.at(-1)).toBe('answered')
  })
})

const head = 'POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n'

describe('bodies that are still to come', () => {
  const long = JSON.stringify({ text: 'x'.repeat(500 * 1024) })

  /** Sends all of a long body but its end, on a connection of its own. */
  async function half({ port, room }: Awaited<ReturnType<typeof startServer>>) {
    const { entries } = room.usage()
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.write(`${head}content-length: ${long.length}\r\n\r\n${long.slice(0, -1)}`)
    await expect.poll(() => room.usage().entries).toBe(entries + 1)
    await expect.poll(() => room.usage().bytes).toBeGreaterThanOrEqual((entries + 1) * (long.length - 1))
    return socket
  }

  it('take no room for what was only announced', async () => {
    const server = await startServer(long)
    for (let nth = 0; nth < 20; nth++) {
      const socket = connect(server.port, '127.0.0.1')
      onTestFinished(() => void socket.destroy())
      socket.write(`${head}content-length: ${long.length}\r\n\r\n{`)
    }
    await expect.poll(() => server.room.usage().entries).toBe(20)
    expect(server.room.usage().bytes).toBe(20 * 16 * 1024)
    const answer = server.post(long)
    await server.arrived(1)
    server.letGo()
    expect(await answer).toBe('answered')
  })

  it('keep others out while they come in, and give way once they have stalled', async () => {
    const server = await startServer(long)
    const sockets = [await half(server), await half(server)]
    expect(await server.post(long)).toBe(full)
    server.advance(1000)
    const answers = sockets.map((socket) => once(socket, 'data').then(String))
    const answer = server.post(long)
    await server.arrived(1)
    server.letGo()
    expect(await answer).toBe('answered')
    expect(await answers[0]).toMatch(/^HTTP\/1\.1 503 [\s\S]*"code":"SERVICE_UNAVAILABLE"/)
    expect(server.room.usage()).toMatchObject({ entries: 1, evicted: 1 })
  })

  it('never keep short ones out', async () => {
    const server = await startServer(long)
    await half(server)
    await half(server)
    const answer = server.post('{"text":"short"}')
    await server.arrived(1)
    server.letGo()
    expect(await answer).toBe('answered')
  })

  it('take no more room in many small pieces than in one', async () => {
    const server = await startServer(long)
    const socket = connect(server.port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.write(`${head}transfer-encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(100_000)}`)
    await expect.poll(() => server.room.usage().bytes).toBeGreaterThan(100_000)
    expect(server.room.usage().bytes).toBeLessThan(300_000)
    socket.destroy()
    await expect.poll(() => server.room.usage()).toEqual({ entries: 0, bytes: 0, evicted: 0 })
  })
})
